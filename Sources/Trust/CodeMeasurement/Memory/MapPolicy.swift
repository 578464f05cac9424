/// What besides the measured images may be executable in a process.
///
/// Source: `vigil` section 4.5.
public struct MapPolicy: Hashable, Sendable {
    /// Folders below which files of the system lie. Absolute, without a slash at the end.
    public var externalPrefixes: [String]

    /// The libraries of the system that the manifest names for this program, by soname. Nil if it names none: then
    /// every file below the prefixes counts, interpreters among them.
    public var externalNames: Set<String>?

    /// The libraries among ``externalNames`` whose very content the manifest gives. A file of such a name that cannot
    /// be compared any more does not count.
    public var pinnedNames: Set<String> = []

    /// Whether a library of the system may have been replaced since the start.
    public var deletedExternal: DeletedExternal
    /// Whether the program's own file may have been removed or replaced since the start.
    public var deletedExecutable: DeletedExecutable
    /// Memory with code of no file that is allowed.
    public var allowedJIT: [JITAllowance]

    /// A policy; without arguments, the usual one.
    public init(
        externalPrefixes: [String] = ["/usr/lib", "/lib", "/usr/lib64", "/lib64"], externalNames: Set<String>? = nil,
        deletedExternal: DeletedExternal = .deny, deletedExecutable: DeletedExecutable = .refuseNewSessions,
        allowedJIT: [JITAllowance] = []
    ) {
        self.externalPrefixes = externalPrefixes
        self.externalNames = externalNames
        self.deletedExternal = deletedExternal
        self.deletedExecutable = deletedExecutable
        self.allowedJIT = allowedJIT
    }

    /// A library of the system that was replaced while the program runs.
    public enum DeletedExternal: String, Hashable, Sendable, CaseIterable {
        case deny
        /// The old file serves until the program starts again. Whose it was cannot be known any more.
        case allowUntilRestart
    }

    /// The program's own file, when it was removed or replaced while it runs.
    public enum DeletedExecutable: String, Hashable, Sendable, CaseIterable {
        case refuseNewSessions
        case allow
        case refuse

        /// Whether it refuses a look.
        ///
        /// - Parameter newSession: whether a session begins with it.
        package func refuses(newSession: Bool) -> Bool {
            switch self {
            case .refuseNewSessions: newSession
            case .allow: false
            case .refuse: true
            }
        }
    }

    /// Code that a program makes while it runs: anonymous memory that is executable and not writable.
    public struct JITAllowance: Hashable, Sendable {
        /// The number of such mappings.
        public var count: Int
        /// Bytes that each of them may have.
        public var size: UInt64

        /// - Parameters:
        ///   - count: how many such mappings there may be.
        ///   - size: how large each may be, in bytes.
        public init(count: Int, size: UInt64) {
            self.count = count
            self.size = size
        }
    }

    /// Whether a path is below one of the prefixes.
    func isExternal(_ path: String) -> Bool {
        externalPrefixes.contains { prefix in
            path.utf8.starts(with: prefix.utf8) && path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
        }
    }

    /// Whether the manifest allows a file of this name.
    func allowsName(of path: String) -> Bool {
        externalNames.map { Soname.named(by: path, among: $0) != nil } ?? true
    }

    func isPinned(_ path: String) -> Bool { Soname.named(by: path, among: pinnedNames) != nil }
}

/// The name by which programs ask for a library.
package enum Soname {
    /// Tells which library a file is by its name, which may have the numbers behind it that the file of a soname
    /// usually has (`libz.so.1.2.13` for `libz.so.1`).
    ///
    /// - Returns: the longest that fits; nil if none does.
    package static func named(by path: String, among sonames: some Sequence<String>) -> String? {
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        var longest: String?
        for soname in sonames where soname.utf8.count > longest?.utf8.count ?? -1 && bytes[start...].isFile(of: soname)
        {
            longest = soname
        }
        return longest
    }
}

extension Substring.UTF8View {
    /// Whether a file of this name is the library of a soname.
    fileprivate func isFile(of soname: String) -> Bool {
        guard starts(with: soname.utf8) else { return false }
        let rest = dropFirst(soname.utf8.count)
        return rest.isEmpty
            || rest.first == UInt8(ascii: ".") && rest.allSatisfy { $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 }
    }
}
