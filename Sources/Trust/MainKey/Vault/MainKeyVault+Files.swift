/// Encrypted files that the vault lists, so that an older one of the same name is noticed (`mainkey` section 19). They
/// are written and read by ``UnlockedVault``.
extension MainKeyVault {
    /// A file that is to be listed.
    public struct FileToList: Sendable {
        /// Where it is.
        public var path: String
        /// The name that it is listed under.
        public var name: String
        /// What it is bound to.
        public var context: [UInt8]

        /// - Parameters:
        ///   - name: nil for its path, made absolute.
        ///   - context: what it was bound to when it was encrypted.
        public init(path: String, name: String? = nil, context: [UInt8] = []) {
            self.path = path
            self.name = name ?? UnlockedVault.listedName(ofFileAt: path)
            self.context = context
        }
    }

    /// Takes encrypted files as they are now for those that were written last: files that were written without being
    /// listed, or that a person restored. All of them are one commit, which is two operations of the TPM with a strict
    /// anchor.
    ///
    /// - Throws: for the first that does not open, and then none is listed; `limitExceeded` above 16384 files;
    ///   `locked`, `busy`, `io`, those of the hardware.
    public func listFiles(_ files: [FileToList]) throws(MainKeyError) {
        try self.files.add(files)
    }

    /// Lists files no more, in one commit; the files stay.
    ///
    /// - Throws: `notFound` for a name that is not listed, and then all stay listed.
    public func forgetFiles(_ names: [String]) throws(MainKeyError) { try files.forget(names) }

    /// The names of the listed files, sorted. Needs no key, and nothing vouches for them.
    public func listedFileNames() throws(MainKeyError) -> [String] { try files.names() }

    /// Compares all files that are listed by their paths with the list, by their headers.
    ///
    /// - Throws: `rolledBack` for the first that is not the one that was written last; why one cannot be read.
    package func checkListedFiles() throws(MainKeyError) -> ListedFilesCheck { try files.check() }
}
