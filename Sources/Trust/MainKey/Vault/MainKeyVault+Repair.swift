/// What a person decides about a vault that cannot be opened as it is, or no more.
extension MainKeyVault {
    /// The key file of a folder and the newer one beside it, as far as they can be read, for a person to choose
    /// between.
    package static func keyFiles(
        at path: String
    ) throws(MainKeyError) -> (current: Result<KeyFile, MainKeyError>, new: Result<KeyFile, MainKeyError>) {
        let directory = try VaultDirectory(path, .existing, allowNetworkFileSystem: true)
        func parsed(_ name: String) -> Result<KeyFile, MainKeyError> {
            Result { () throws(MainKeyError) in
                guard let bytes = try directory.keyFile(name) else { throw .notFound("\(name) in \(path)") }
                return try KeyFile(parsing: bytes)
            }
        }
        return (parsed(VaultDirectory.Name.keyFile), parsed(VaultDirectory.Name.stagedKeyFile))
    }

    /// Puts the complete new file in the place of a missing or damaged one: a person has seen both.
    package static func repair(at path: String, _ options: OpenOptions = OpenOptions()) throws(MainKeyError) {
        try VaultStore(at: path, .existing, options).putNewKeyFileInPlace()
    }

    /// Whether a wipe of what is in a folder was begun, or something says so.
    package static func isWipeBegun(at path: String, _ options: OpenOptions) throws(MainKeyError) -> Bool {
        try WipeMark.isPresent(in: VaultStore(at: path, .existing, options).directory)
    }

    /// Wipes what a wipe left that was interrupted, because somebody asks for it: whoever wrote its mark.
    ///
    /// - Parameter data: as for ``wipe(data:)``.
    /// - Returns: what could not be removed from the hardware, in words.
    package static func finishWipe(
        at path: String, data: [String] = [], _ options: OpenOptions
    ) throws(MainKeyError) -> [String] {
        let store = try VaultStore(at: path, .existing, options)
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        return try store.resumeWipe(data: NamedData(data))
    }
}
