import Foundation

/// A disk in memory of a few kilobytes, which can be full. Only an administrator may mount one.
package final class SmallDisk {
    /// Whether this process may mount one.
    package static let isPossible = geteuid() == 0 && (try? SmallDisk(byteCount: 1 << 16)) != nil

    /// Why a test is skipped where none can be mounted.
    package static let reason = "this process may mount no disk"

    /// The folder that the disk is seen in.
    package let path: String
    private var filler: String { path + "/filler" }

    /// - Parameter byteCount: the size of the disk.
    package init(byteCount: Int) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        #if os(Linux)
            let isMounted = mount("disk", path, "tmpfs", 0, "size=\(byteCount),mode=700") == 0
        #else
            let isMounted = false
        #endif
        guard isMounted else {
            rmdir(path)
            throw POSIXError(.EPERM)
        }
    }

    deinit {
        #if os(Linux)
            _ = umount2(path, Int32(MNT_DETACH))
        #endif
        rmdir(path)
    }

    /// Fills the disk, but for some pages of 4 KiB.
    package func fill(leaving pages: Int) throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.ENOSPC) }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0x5a, count: 4096)
        var size = 0
        while true {
            let count = write(descriptor, page, page.count)
            guard count > 0 else { break }
            size += count
        }
        ftruncate(descriptor, off_t(max(0, size - pages * page.count)))
    }

    /// Makes room again.
    package func free() { unlink(filler) }
}
