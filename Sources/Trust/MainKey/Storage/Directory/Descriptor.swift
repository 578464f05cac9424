import Foundation

/// An open file or folder, closed with its owner.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// - Parameter number: open, and owned by nobody else.
    init(owning number: Int32) {
        self.number = number
    }

    /// Gives back the lock that was taken on it. Closing alone does not do that at once: a process that is just being
    /// started has a copy of the descriptor until it runs its program.
    func unlock() { _ = flock(number, LOCK_UN) }

    deinit { close(number) }
}

/// What `fstat` tells.
struct FileStatus {
    private let status: stat

    /// - Parameter path: for the error only.
    init(of descriptor: borrowing Descriptor, path: String) throws(MainKeyError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw .system(path, "it cannot be examined") }
        self.status = status
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var owner: uid_t { status.st_uid }
    /// The permission bits.
    var mode: mode_t { status.st_mode & 0o7777 }
    var size: Int { Int(status.st_size) }
    /// How many names the file has.
    var links: Int { Int(status.st_nlink) }
    var isOpenToOthers: Bool { mode & 0o077 != 0 }

    func isSame(as other: FileStatus) -> Bool {
        status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
    }
}
