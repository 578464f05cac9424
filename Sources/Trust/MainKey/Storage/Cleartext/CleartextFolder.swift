import CLinux
import Foundation
import Synchronization

/// The folder of one process in a vault's place for cleartext. The file `owner` in it is locked as long as the process
/// lives, by which others know that the folder is in use.
final class CleartextFolder: Sendable {
    static let prefix = "p-"
    private static let ownerName = "owner"

    /// The folders of this process, to be removed at its end.
    private static let inUse = Mutex<[ObjectIdentifier: CleartextFolder]>([:])
    private static let removesAtExit: Bool = {
        atexit { CleartextFolder.removeAll() }
        return true
    }()

    let files: PrivateDirectory
    let isInMemory: Bool
    private let place: PrivateDirectory
    private let name: String
    private let owner: Descriptor
    private let process = getpid()

    /// Makes a folder in the vault's place.
    init(in place: PrivateDirectory) throws(MainKeyError) {
        _ = Self.removesAtExit
        isInMemory = FileSystemKind(of: place) == .memory
        let name = try Self.unusedName(in: place)
        // While this is held nobody sweeps, so that nobody takes the folder for a dead one before its owner is locked.
        let turn = try Self.turn(in: place)
        defer { turn.unlock() }
        guard let files = try place.subdirectory(name, .creating) else {
            throw .internalFailure(reason: "a folder that was made is missing")
        }
        owner = try Self.lockOwner(in: files)
        self.place = place
        self.name = name
        self.files = files
        Self.inUse.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// An unused name for a folder: `p-<process>-<start>`, and a number behind it when this process has several.
    private static func unusedName(in place: PrivateDirectory) throws(MainKeyError) -> String {
        var start: UInt64 = 0
        guard clinux_process_start(getpid(), &start) == 0 else { throw .system("/proc", "this process is not found") }
        let base = "\(prefix)\(getpid())-\(start)"
        let used = Set(try place.names())
        var name = base
        var number = 1
        while used.contains(name) {
            number += 1
            name = "\(base)-\(number)"
        }
        return name
    }

    private static func lockOwner(in files: PrivateDirectory) throws(MainKeyError) -> Descriptor {
        let path = files.pathOf(ownerName)
        let number = openat(
            files.descriptor.number, ownerName, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(path, "it cannot be made") }
        let owner = Descriptor(owning: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .system(path, "it cannot be locked") }
        return owner
    }

    /// Waits for one's turn to make or sweep folders in a place; it lasts until the descriptor is unlocked.
    private static func turn(in place: PrivateDirectory) throws(MainKeyError) -> Descriptor {
        let number = openat(place.descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system(place.path, "the folder cannot be opened") }
        let turn = Descriptor(owning: number)
        // Turns take microseconds; two seconds are for a machine that does little else.
        for _ in 0..<2000 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 { return turn }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .system(place.path, "the folder cannot be locked")
            }
            usleep(1000)
        }
        throw .busy(path: place.path)
    }

    /// Removes the folders in a place whose processes are gone.
    ///
    /// - Returns: how many.
    static func sweep(_ place: PrivateDirectory) throws(MainKeyError) -> Int {
        let turn = try Self.turn(in: place)
        defer { turn.unlock() }
        let isInMemory = FileSystemKind(of: place) == .memory
        var removed = 0
        for name in try place.names() where name.hasPrefix(prefix) && isDead(name, in: place) {
            try FileTree.remove(name, in: place, overwriting: !isInMemory)
            removed += 1
        }
        return removed
    }

    private static func isDead(_ name: String, in place: PrivateDirectory) -> Bool {
        let owner = openat(
            place.descriptor.number, name + "/" + ownerName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        // Without an owner the process died between making the folder and locking it: turns are ours now.
        guard owner >= 0 else { return errno == ENOENT }
        defer { close(owner) }
        return flock(owner, LOCK_EX | LOCK_NB) == 0
    }

    /// Removes the folder and all in it.
    func remove() throws(MainKeyError) {
        _ = Self.inUse.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        // A child made by `fork` has this object too, but not the folder.
        guard getpid() == process else { return }
        try FileTree.remove(name, in: place, overwriting: !isInMemory)
    }

    /// Removes the folders of all vaults of this process, at its end.
    static func removeAll() {
        for folder in inUse.withLock({ Array($0.values) }) { try? folder.remove() }
    }
}
