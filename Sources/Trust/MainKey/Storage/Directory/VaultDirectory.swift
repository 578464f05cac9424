/// The folder of a vault.
///
/// Source: `mainkey` sections 14, 22 and 24.
package final class VaultDirectory: Sendable {
    /// The names in it.
    package enum Name {
        package static let keyFile = "keyring.mk"
        package static let stagedKeyFile = "keyring.mk.new"
        package static let attempts = "attempts.mk"
        /// The list of what changes may leave in the TPM.
        package static let indexJournal = "indices.mk"
        package static let lock = "lock"
        package static let wipe = "wipe.mk"
        /// Names the application that alone knows where its sealed data lies.
        package static let owner = "owner"
        package static let items = "items"
        /// Which items there are, as the key file names it.
        package static let itemList = "items.mk"
        package static let stagedItemList = "items.mk.new"
        /// The ticket of a session.
        package static let session = "session.mk"
        /// The file that comes and goes when everybody is to lock.
        package static let lockSignal = "lock.mk"
    }

    /// The files of the vault.
    package let files: PrivateDirectory

    /// Opens the folder, or makes it, with the marks that keep it out of backups.
    ///
    /// - Parameter allowNetworkFileSystem: accepts that two machines may not see each other's locks.
    /// - Throws: `notFound` if there is none and none is to be made; `configError` if it is not private to this user or
    ///   lies on a network file system; `io`.
    package init(
        _ path: String, _ opening: PrivateDirectory.Opening, allowNetworkFileSystem: Bool = false
    ) throws(MainKeyError) {
        files = try PrivateDirectory(path, opening)
        try Self.check(FileSystemKind(of: files), path: files.path, allowNetwork: allowNetworkFileSystem)
        if opening == .creating { _ = try BackupMarks.set(on: files) }
    }

    static func check(_ kind: FileSystemKind, path: String, allowNetwork: Bool) throws(MainKeyError) {
        guard case .network(let name) = kind, !allowNetwork else { return }
        throw .configError(
            reason:
                "\(path) lies on a network file system (\(name)), where locks do not hold; choose a folder on this machine"
        )
    }

    /// The key file, or the one that is staged beside it.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `malformed` if it is larger than any; `io`.
    func keyFile(_ name: String = Name.keyFile) throws(MainKeyError) -> [UInt8]? {
        do throws(MainKeyError) { return try files.read(name, limit: KeyFile.byteCounts.upperBound) } catch {
            guard case .limitExceeded = error else { throw error }
            throw .malformed(.keyFile, reason: "it has more than \(KeyFile.byteCounts.upperBound) bytes")
        }
    }

    /// The folder of the key items.
    ///
    /// - Returns: nil if there is none and none is to be made.
    package func items(_ opening: PrivateDirectory.Opening) throws(MainKeyError) -> PrivateDirectory? {
        guard let items = try files.subdirectory(Name.items, opening) else { return nil }
        if opening == .creating { _ = try BackupMarks.set(on: items) }
        return items
    }
}
