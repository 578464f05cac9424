import CLinux
import Foundation
import SecretMemory

extension PrivateDirectory {
    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    package func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(MainKeyError) {
        let staged = name + ".new"
        try stage(bytes, as: staged)
        do throws(MainKeyError) {
            try promote(staged, to: name)
        } catch {
            unlinkat(descriptor.number, staged, 0)
            throw error
        }
    }

    package func write(_ bytes: [UInt8], to name: String) throws(MainKeyError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(MainKeyError) in
            try write(UnsafeRawBufferPointer(bytes), to: name)
        }
    }

    /// The first half of replacing a file: writes all of it under a name of its own, through to the disk. A file that
    /// has this name is removed before, and on failure nothing is left.
    package func stage(_ bytes: UnsafeRawBufferPointer, as name: String) throws(MainKeyError) {
        try remove(name)
        CrashPoint.reach("stage.removed:\(name)")
        let number = openat(descriptor.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(pathOf(name), "it cannot be made") }
        let file = Descriptor(owning: number)
        CrashPoint.reach("stage.created:\(name)")
        do throws(MainKeyError) {
            try Self.put(bytes, into: file.number, path: pathOf(name))
            CrashPoint.reach("stage.written:\(name)")
            guard clinux_flush(file.number) == 0 else { throw .system(pathOf(name), "it cannot be written") }
            CrashPoint.reach("stage.synced:\(name)")
        } catch {
            unlinkat(descriptor.number, name, 0)
            throw error
        }
    }

    /// The second half: gives what was staged its final name, and sees that the folder remembers it. On failure what
    /// was staged stays: once hardware has counted on, it is the only file that still opens.
    package func promote(_ staged: String, to name: String) throws(MainKeyError) {
        guard renameat(descriptor.number, staged, descriptor.number, name) == 0 else {
            throw .system(pathOf(name), "it cannot be replaced")
        }
        CrashPoint.reach("promote.renamed:\(name)")
        try sync()
        CrashPoint.reach("promote.synced:\(name)")
    }

    /// Removes a file; without one, nothing happens. ``sync()`` makes it last.
    package func remove(_ name: String) throws(MainKeyError) {
        guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw .system(pathOf(name), "it cannot be removed")
        }
    }

    /// Overwrites a file with zeros in place and removes it; without one, nothing happens. A file with more names
    /// becomes zeros under all of them; what is no file, or not of this user alone, is removed as it is. On most disks
    /// the old bytes survive somewhere: only losing the key makes them worthless (`mainkey` section 24).
    package func overwriteAndRemove(_ name: String) throws(MainKeyError) {
        do throws(MainKeyError) {
            guard let file = try openFile(name, O_WRONLY, mostLinks: .max) else { return }
            try Self.overwrite(file.number, path: pathOf(name))
            CrashPoint.reach("overwrite.synced:\(name)")
        } catch {
            // Removing is what counts; its failure is the one to tell.
            try remove(name)
            try sync()
            return
        }
        try remove(name)
        try sync()
        CrashPoint.reach("overwrite.removed:\(name)")
    }

    /// Puts zeros over all of a file.
    ///
    /// - Parameters:
    ///   - file: a descriptor that is open for writing.
    ///   - path: for the error only.
    static func overwrite(_ file: Int32, path: String) throws(MainKeyError) {
        var status = stat()
        guard fstat(file, &status) == 0, lseek(file, 0, SEEK_SET) == 0 else {
            throw .system(path, "it cannot be overwritten")
        }
        var left = Int(status.st_size)
        let zeros = [UInt8](repeating: 0, count: min(left, 65_536))
        while left > 0 {
            let count = min(left, zeros.count)
            try zeros.withUnsafeBufferPointer { (zeros) throws(MainKeyError) in
                let part = UnsafeBufferPointer(rebasing: zeros[..<count])
                try put(UnsafeRawBufferPointer(part), into: file, path: path)
            }
            left -= count
        }
        guard clinux_flush(file) == 0 else { throw .system(path, "it cannot be overwritten") }
    }

    /// Waits until the disk has the names of the files as they are now.
    package func sync() throws(MainKeyError) {
        guard clinux_flush(descriptor.number) == 0 else { throw .system(path, "the folder cannot be written") }
    }

    private static func put(_ bytes: UnsafeRawBufferPointer, into file: Int32, path: String) throws(MainKeyError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = retrying { Foundation.write(file, rest.baseAddress, rest.count) }
            guard count > 0 else { throw .system(path, "it cannot be written", code: count < 0 ? errno : ENOSPC) }
            done += count
        }
    }
}
