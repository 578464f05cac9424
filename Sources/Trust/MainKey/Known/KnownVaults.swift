import BasicFoundation
import Files
import SecretMemory

/// What an account remembers of its vaults outside their folders, as `known_hosts` does of hosts. A folder that was
/// mailed, synced or restored is judged by it, since whoever made that folder could write everything in it.
///
/// It is a folder of its own (`~/.local/state/mainkey`). Whoever can write there as well, which any program of the same
/// account may, can change what is remembered: this stops a folder from lying, not a program.
public final class KnownVaults: Sendable {
    /// The name of the key that signs wipes.
    private static let keyName = "wipe.key"

    /// The path of its own folder.
    package let path: String

    /// - Parameter path: of the folder; it is made when there is something to remember.
    package init(at path: String) {
        self.path = path
    }

    /// The folder of the account that this process runs as, where the system's list of users says that it lives. The
    /// environment is not asked: who sets it could have everything forgotten.
    ///
    /// - Throws: `configError` for an account that lives nowhere.
    public static func ofThisUser() throws(MainKeyError) -> KnownVaults {
        KnownVaults(at: try home() + "/.local/state/mainkey")
    }

    private static func home() throws(MainKeyError) -> String {
        var status = stat()
        guard let home = UserAccount.effective?.home, home.hasPrefix("/"), stat(home, &status) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else {
            throw .configError(
                reason: "user \(geteuid()) has no home in the list of users; name the folder that remembers vaults")
        }
        return home
    }

    func folder(_ opening: PrivateDirectory.Opening) throws(MainKeyError) -> PrivateDirectory? {
        do throws(MainKeyError) { return try PrivateDirectory(path, opening) } catch {
            if case .notFound = error { return nil }
            throw error
        }
    }

    // MARK: Wipes

    /// The key that signs this account's wipes.
    ///
    /// - Parameter opening: whether a missing one is made.
    /// - Returns: nil if there is none and none is to be made.
    /// - Throws: `tampered` for one of another length, `io`.
    func wipeKey(_ opening: PrivateDirectory.Opening) throws(MainKeyError) -> SecretBytes? {
        guard let folder = try folder(opening) else { return nil }
        if let key = try folder.readSecret(Self.keyName, limit: 4096) {
            guard key.count == HMACSHA256.byteCount else {
                throw .tampered(reason: "\(folder.pathOf(Self.keyName)) is no key; remove it")
            }
            return key
        }
        guard opening == .creating else { return nil }
        let key = try secret { try SecretBytes.drawn(count: HMACSHA256.byteCount) }
        try key.withUnsafeBytes { (bytes) throws(MainKeyError) in try folder.write(bytes, to: Self.keyName) }
        return key
    }
}
