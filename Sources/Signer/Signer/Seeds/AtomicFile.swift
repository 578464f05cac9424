import Foundation
import MainKey

/// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
enum AtomicFile {
    /// Writes beside the file, syncs, renames over it, syncs the folder. Only the owner may read it.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw unavailable(temporary) }
        do {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, path: temporary)
            guard fsync(descriptor) == 0 else { throw unavailable(temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        CrashPoint.reach("replace.written")
        guard rename(temporary, path) == 0 else {
            let error = unavailable(path)
            unlink(temporary)
            throw error
        }
        CrashPoint.reach("replace.renamed")
        try syncFolder(of: path)
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, path: String) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + done, bytes.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw unavailable(path) }
            done += count
        }
    }

    static func syncFolder(of path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unavailable(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unavailable(folder) }
    }

    /// The content of a file that may be missing.
    ///
    /// - Parameter limit: bytes at the most; a larger file is an error.
    static func read(_ path: String, limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw unavailable(path)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data: Data
        do { data = try handle.read(upToCount: limit + 1) ?? Data() } catch { throw unavailable(path) }
        guard data.count <= limit else {
            throw SignerError.databaseDamaged(.file(path: path, reason: "it is larger than \(limit) bytes"))
        }
        return Array(data)
    }

    private static func unavailable(_ path: String) -> SignerError {
        .storageUnavailable(path: path, reason: String(cString: strerror(errno)))
    }
}
