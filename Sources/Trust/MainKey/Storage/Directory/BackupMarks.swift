import BasicFoundation
import CLinux

/// Marks on a folder by which programs that make backups know to leave it out. tar, borg and restic heed the tag only
/// when they are told to leave out caches.
///
/// Source: `mainkey` section 24; bford.info/cachedir.
package struct BackupMarks: Equatable, Sendable {
    static let tagName = "CACHEDIR.TAG"
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"
    private static let tag = Array(
        """
        \(signature)
        # Keys of this machine and user. In a backup they would help only a thief.
        # What this file means: https://bford.info/cachedir/

        """.utf8)

    /// The file `CACHEDIR.TAG`.
    package var hasTag = false
    /// The attribute for `dump`.
    package var hasNoDump = false
    /// The extended attribute `user.xdg.robots.backup`, or Apple's.
    package var hasAttribute = false

    /// Sets those that are missing and that the file system can hold.
    ///
    /// - Returns: the marks that are there now.
    /// - Throws: `io` if the tag cannot be written; the others are best effort.
    package static func set(on directory: PrivateDirectory) throws(MainKeyError) -> BackupMarks {
        let found = BackupMarks(of: directory)
        if !found.hasTag { try directory.write(tag, to: tagName) }
        if !found.hasNoDump { _ = clinux_set_nodump(directory.descriptor) }
        if !found.hasAttribute { setAttribute(directory) }
        return BackupMarks(of: directory)
    }

    /// The marks that are there.
    package init(of directory: PrivateDirectory) {
        // A tag that cannot be read as ours is written again.
        hasTag = (try? directory.read(Self.tagName, limit: 4096))?.starts(with: Self.signature.utf8) ?? false
        var marked: Int32 = 0
        hasNoDump = clinux_has_nodump(directory.descriptor, &marked) == 0 && marked == 1
        hasAttribute = Self.hasAttribute(directory)
    }

    #if canImport(Darwin)
        private static func setAttribute(_ directory: PrivateDirectory) {
            var url = URL(filePath: directory.path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
        }

        private static func hasAttribute(_ directory: PrivateDirectory) -> Bool {
            let values = try? URL(filePath: directory.path).resourceValues(forKeys: [.isExcludedFromBackupKey])
            return values?.isExcludedFromBackup ?? false
        }
    #else
        private static func setAttribute(_ directory: PrivateDirectory) {
            _ = clinux_set_no_backup(directory.descriptor)
        }

        private static func hasAttribute(_ directory: PrivateDirectory) -> Bool {
            var marked: Int32 = 0
            return clinux_has_no_backup(directory.descriptor, &marked) == 0 && marked == 1
        }
    #endif
}
