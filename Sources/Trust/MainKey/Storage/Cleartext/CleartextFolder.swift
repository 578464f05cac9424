import BasicFoundation
import CLinux
import Files
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
    private let owner: FileLock
    private let process = getpid()

    /// Makes a folder in the vault's place.
    init(in place: PrivateDirectory) throws(MainKeyError) {
        _ = Self.removesAtExit
        isInMemory = FileSystemKind(of: place) == .memory
        let name = try Self.unusedName(in: place)
        // While this is held nobody sweeps, so that nobody takes the folder for a dead one before its owner is locked.
        let turn = try Self.turn(in: place)
        defer { withExtendedLifetime(turn) {} }
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
        guard clinux_process_start(getpid(), &start) == 0 else {
            throw .system("/proc", failure: "this process is not found")
        }
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

    private static func lockOwner(in files: PrivateDirectory) throws(MainKeyError) -> FileLock {
        let file = try onDisk(try files.folder.create(ownerName, for: .readWrite))
        guard let lock = try onDisk(try FileLock(.exclusive, ifFree: file)) else {
            throw .busy(path: files.pathOf(ownerName))
        }
        return lock
    }

    /// Waits for one's turn to make or sweep folders in a place; it lasts as long as the lock.
    private static func turn(in place: PrivateDirectory) throws(MainKeyError) -> FileLock {
        // Turns take microseconds; two seconds are for a machine that does little else.
        for _ in 0..<2000 {
            if let turn = try onDisk(try place.folder.lockIfFree()) { return turn }
            usleep(1000)
        }
        throw .busy(path: place.path)
    }

    /// Removes the folders in a place whose processes are gone. One that cannot be removed does not keep the others.
    ///
    /// - Returns: how many, and why something stayed.
    static func sweep(_ place: PrivateDirectory) -> (count: Int, failures: [MainKeyError]) {
        var swept = (count: 0, failures: [MainKeyError]())
        do throws(MainKeyError) {
            let turn = try Self.turn(in: place)
            defer { withExtendedLifetime(turn) {} }
            let isInMemory = FileSystemKind(of: place) == .memory
            for name in try place.names() where name.hasPrefix(prefix) && isDead(name, in: place) {
                do throws(FileError) {
                    try place.folder.removeTree(name, overwriting: !isInMemory)
                    swept.count += 1
                } catch {
                    swept.failures.append(MainKeyError(error))
                }
            }
        } catch {
            swept.failures.append(error)
        }
        return swept
    }

    private static func isDead(_ name: String, in place: PrivateDirectory) -> Bool {
        do throws(FileError) {
            // Without an owner the process died between making the folder and locking it: turns are ours now.
            guard let owner = try place.folder.folder(name)?.open(ownerName, rules: .anything) else { return true }
            return try FileLock(.exclusive, ifFree: owner) != nil
        } catch {
            return false
        }
    }

    /// Removes the folder and all in it.
    func remove() throws(MainKeyError) {
        _ = Self.inUse.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        // A child made by `fork` has this object too, but not the folder.
        guard getpid() == process else { return }
        try onDisk(try place.folder.removeTree(name, overwriting: !isInMemory))
    }

    /// Removes the folders of all vaults of this process, at its end.
    static func removeAll() {
        for folder in inUse.withLock({ Array($0.values) }) { try? folder.remove() }
    }
}
