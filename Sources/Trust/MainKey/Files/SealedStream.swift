import BasicFoundation
import Files

/// What is encrypted or decrypted: a file, a pipe, a device, or a descriptor that somebody else opened.
extension OpenFile {
    /// Opens what is at a path to read it from its start. A pipe is waited for, as long as it takes.
    ///
    /// - Throws: ``MainKeyError/notFound(_:)`` or ``MainKeyError/io(path:reason:)``.
    package convenience init(reading path: String) throws(MainKeyError) {
        do throws(FileError) {
            try self.init(FilePath(path), rules: .anything, followsLinks: true)
        } catch {
            if error.isMissing { throw .notFound("file \(path)") }
            throw MainKeyError(error)
        }
        if try onDisk(try facts()).type != .regular { waitForBytes() }
    }

    /// Uses a descriptor that stays somebody else's.
    ///
    /// - Parameter name: what errors call it by.
    convenience init(borrowing number: Int32, named name: String) {
        self.init(borrowing: FileDescriptor(rawValue: number), path: FilePath(name))
    }

    /// Waits for the first writer of a pipe, and has all later calls wait for what is written.
    private func waitForBytes() {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) < 0, errno == EINTR {}
        let flags = fcntl(descriptor.rawValue, F_GETFL)
        _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
    }

    /// Bytes from the current position to the end; nil for what is no regular file.
    func remainingByteCount() throws(MainKeyError) -> Int? {
        let facts = try onDisk(try facts())
        guard facts.type == .regular else { return nil }
        let position = lseek(descriptor.rawValue, 0, SEEK_CUR)
        guard position >= 0 else { throw .system(path.string, failure: "its position is not known") }
        return max(0, Int(facts.size) - Int(position))
    }
}

/// A file that appears whole or not at all.
enum SealedOutput {
    /// Replaces the file at `path` with what `body` writes. Only the owner may read it. When this returns it survives a
    /// loss of power; when `body` throws nothing is left, and what was at `path` stays.
    static func write<R>(
        _ path: String, _ body: (OpenFile) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        let (output, outcome) = try prepare(path, body)
        try onDisk(try output.commit())
        return outcome
    }

    /// The same, but for the last step: what was at `path` stays until the file takes its place.
    static func prepare<R>(
        _ path: String, _ body: (OpenFile) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> (output: PreparedFile, outcome: R) {
        let output: PreparedFile
        do throws(FileError) {
            output = try PreparedFile(for: FilePath(path), permissions: .ownerReadWrite)
        } catch {
            if error.isMissing { throw .notFound("folder of \(path)") }
            throw MainKeyError(error)
        }
        return (output, try body(output.file))
    }
}

/// An encrypted file that was opened to be read, and compared with what the vault lists.
struct FreshFile {
    /// The file, at its start.
    let source: OpenFile
    /// The digest of the header that it was last written with; nil where the vault does not list it.
    var digest: [UInt8]?
}

/// A whole encrypted file that does not have its place yet.
struct WaitingFile {
    /// Where it will be.
    let path: String
    /// The digest of its header.
    let digest: [UInt8]
    let epoch: UInt32
    /// What it is to be listed under, besides what its place is listed under already.
    var name: String?
    /// The digest of the header of the file that it was made from, which alone it replaces; nil to replace anything.
    private let replaced: [UInt8]?
    private let output: PreparedFile

    init(_ output: PreparedFile, _ header: EncryptedFileHeader, replacing replaced: [UInt8]? = nil) {
        self.output = output
        self.replaced = replaced
        path = output.path.string
        (digest, epoch) = (header.digest, header.epoch)
    }

    /// Whether it says what its place holds: somebody may have written or removed the file that it was made from.
    var isCurrent: Bool {
        guard let replaced else { return true }
        return (try? OpenFile(listedAt: path).headerDigest()) == replaced
    }

    /// Brings the content to the disk: what can still fail afterwards is little.
    func synchronise() throws(MainKeyError) { try onDisk(try output.file.synchronise()) }

    func takePlace() throws(MainKeyError) { try onDisk(try output.commit()) }
}
