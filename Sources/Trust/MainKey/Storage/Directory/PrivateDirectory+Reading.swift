import Foundation
import SecretMemory

extension PrivateDirectory {
    /// The content of a file.
    ///
    /// - Parameter limit: bytes at the most.
    /// - Returns: nil if there is no such file.
    /// - Throws: `limitExceeded` if it is larger; `io` if it cannot be read, or is anything but a file of this user
    ///   that has one name and that nobody else may read: a link, a pipe, a shared file.
    package func read(_ name: String, limit: Int) throws(MainKeyError) -> [UInt8]? {
        guard let file = try openFile(name) else { return nil }
        let count = try boundedSize(of: file, name, limit: limit)
        let number = file.number
        var failure: MainKeyError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            do throws(MainKeyError) {
                let bytes = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
                try Self.fill(bytes, from: number, path: pathOf(name))
                written = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The same for a file that is a secret in itself.
    package func readSecret(_ name: String, limit: Int) throws(MainKeyError) -> SecretBytes? {
        guard let file = try openFile(name) else { return nil }
        let count = try boundedSize(of: file, name, limit: limit)
        return try Self.readAll(of: file, count: count, path: pathOf(name))
    }

    /// The first `count` bytes of a file.
    ///
    /// - Parameter path: for the error only.
    static func readAll(
        of file: borrowing Descriptor, count: Int, path: String
    ) throws(MainKeyError) -> SecretBytes {
        let number = file.number
        return try secret { try SecretBytes(count: count) { try fill($0, from: number, path: path) } }
    }

    private func boundedSize(
        of file: borrowing Descriptor, _ name: String, limit: Int
    ) throws(MainKeyError) -> Int {
        let size = try FileStatus(of: file, path: pathOf(name)).size
        guard size <= limit else {
            throw .limitExceeded(reason: "\(pathOf(name)) has \(size) bytes; at most \(limit) are read")
        }
        return size
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: Int32, path: String
    ) throws(MainKeyError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = retrying { Foundation.read(file, rest.baseAddress, rest.count) }
            if count < 0 { throw .system(path, "it cannot be read") }
            if count == 0 { throw .io(path: path, reason: "it became shorter while it was read; try again") }
            done += count
        }
    }

    /// - Parameter mostLinks: how many names the file may have.
    /// - Returns: nil if there is no such file.
    func openFile(
        _ name: String, _ mode: Int32 = O_RDONLY, mostLinks: Int = 1
    ) throws(MainKeyError) -> Descriptor? {
        // Without O_NONBLOCK a pipe in the file's place would keep us waiting for ever.
        let number = openat(descriptor.number, name, mode | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw .io(path: pathOf(name), reason: "it is a symbolic link; put the file itself there")
            default: throw .system(pathOf(name), "it cannot be opened")
            }
        }
        let file = Descriptor(owning: number)
        try check(file, name, mostLinks: mostLinks)
        return file
    }

    private func check(_ file: borrowing Descriptor, _ name: String, mostLinks: Int) throws(MainKeyError) {
        let path = pathOf(name)
        let status = try FileStatus(of: file, path: path)
        guard status.isRegular else { throw .io(path: path, reason: "it is no ordinary file; remove it") }
        guard status.owner == geteuid() else {
            throw .io(path: path, reason: "it belongs to user \(status.owner), not to \(geteuid()); run as its owner")
        }
        guard !status.isOpenToOthers else {
            let mode = String(status.mode, radix: 8)
            throw .io(path: path, reason: "other users may use it (mode \(mode)); run: chmod 600 '\(path)'")
        }
        // None is left when another process has just replaced the file: the content is the one of a moment ago.
        guard status.links <= mostLinks else {
            throw .io(
                path: path, reason: "it has \(status.links) names (hard links); copy it and replace it by the copy")
        }
    }
}
