import BasicFoundation
import Files
import SecretMemory

/// A directory for keys, which no other user may look into.
///
/// The directory has mode 0700 and its files 0600; both belong to the process's user. That is checked on every opening,
/// and what breaks a rule is refused, not repaired: someone else may have read or written it. A file is replaced in one
/// step.
///
/// Source: `vigil` section 5.4.
public struct StateDirectory: Hashable, Sendable {
    /// The path as it was given.
    public let path: String

    /// The most bytes of a key file.
    static let fileLimit = 64 * 1024

    /// Makes the directory if it is missing, and checks it.
    ///
    /// - Throws: ``HardwareKeyError/storageRefused(path:reason:)``
    public init(path: String) throws(HardwareKeyError) {
        self.path = path
        _ = try open(makesMissing: true)
    }

    /// Where a product keeps its state: `$STATE_DIRECTORY` of a service, else `$XDG_STATE_HOME/<name>/<product>`, else
    /// below `~/.local/state`.
    public static func standardPath(
        name: String, product: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        // A service may be given several, separated by colons; the first is its own.
        if let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(service) }
        let home = UserPlaces.home(environment["HOME"])
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        return "\(state)/\(name)/\(product)"
    }

    /// The content of a file, or nil if it is missing.
    package func read(_ name: String) throws(HardwareKeyError) -> SecretBytes? {
        let directory = try open()
        return try stored { () throws(FileError) in try directory.open(name, rules: .privateFile) }
            .map { (file) throws(HardwareKeyError) in try content(of: file) }
    }

    private func content(of file: OpenFile) throws(HardwareKeyError) -> SecretBytes {
        let count = try stored { () throws(FileError) in try file.byteCount(limit: Self.fileLimit) }
        var failure: FileError?
        let content = try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: count) { buffer in
                do throws(FileError) { try file.readWhole(into: buffer) } catch { failure = error }
            }
        }
        if let failure { throw HardwareKeyError(failure) }
        return content
    }

    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    package func write(_ name: String, _ content: SecretBytes) throws(HardwareKeyError) {
        let directory = try open()
        let staged = ".\(name).new"
        try content.withUnsafeBytes { (bytes) throws(HardwareKeyError) in
            try stored { () throws(FileError) in
                try directory.stage(bytes, as: staged)
                do throws(FileError) { try directory.promote(staged, to: name) } catch {
                    try? directory.remove(staged)
                    throw error
                }
            }
        }
    }

    /// Removes a file; one that is missing is no error.
    package func remove(_ name: String) throws(HardwareKeyError) {
        let directory = try open()
        try stored { () throws(FileError) in
            try directory.remove(name)
            try directory.synchronise()
        }
    }

    /// The names of what is in it, sorted.
    func names() throws(HardwareKeyError) -> [String] {
        let directory = try open()
        return try stored { () throws(FileError) in try directory.names() }
    }

    /// Runs `body` while no other process runs such a part on this directory.
    package func exclusively<R>(_ body: () throws(HardwareKeyError) -> R) throws(HardwareKeyError) -> R {
        let directory = try open()
        let lock = try stored { () throws(FileError) in try directory.lock() }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private func open(makesMissing: Bool = false) throws(HardwareKeyError) -> Folder {
        try stored { () throws(FileError) in
            try Folder(FilePath(path), rules: .privateFolder, makesMissing: makesMissing)
        }
    }
}

/// Runs what the disk does, with its failure as one of this room's.
private func stored<R>(_ body: () throws(FileError) -> R) throws(HardwareKeyError) -> R {
    do throws(FileError) { return try body() } catch { throw HardwareKeyError(error) }
}

extension HardwareKeyError {
    fileprivate init(_ error: FileError) {
        let reason =
            switch error.reason {
            case .noFolder: "it is not a directory, or a symbolic link"
            case .folder, .notRegular: "it is not a regular file"
            case .severalNames: "it has a second name (hard link)"
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            case .foreignOwner(let owner, _):
                "it belongs to user \(owner.rawValue), not to this one (\(geteuid()))"
            case .system(let code): "it cannot be \(error.action): \(code)"
            default: "\(error.reason)"
            }
        self = .storageRefused(path: error.path.string, reason: reason)
    }
}
