import CLibrary

/// A file, pipe or device that is read from its start to its end, as a person names it to a program: symbolic links are
/// followed.
///
/// A named pipe without a writer is waited for, but not for ever.
public final class InputFile {
    /// What is read from.
    public enum Kind: Sendable { case regular, pipe, device }

    /// How long a named pipe may stay without a writer.
    public static let patience = Duration.seconds(10)

    /// The path as it was given.
    public var path: FilePath { file.path }
    /// The descriptor, which is closed with this value.
    public let file: OpenFile
    /// What is read from.
    public let kind: Kind
    private let patience: Duration
    private var hasWriter: Bool

    private var descriptor: CInt { file.descriptor.rawValue }

    /// - Parameters:
    ///   - path: of a file, pipe or device.
    ///   - patience: how long a named pipe may stay without a writer.
    /// - Throws: ``FileError``, with ``FileError/Reason/folder`` for a folder.
    public init(_ path: FilePath, patience: Duration = InputFile.patience) throws(FileError) {
        // Not waiting is what opens a named pipe before it has a writer.
        file = try OpenFile(path, rules: .anything, followsLinks: true)
        kind =
            switch try file.facts().type {
            case .directory: throw FileError(path, .read, because: .folder)
            case .regular: .regular
            case .characterSpecial, .blockSpecial: .device
            default: .pipe
            }
        hasWriter = kind != .pipe
        self.patience = patience
    }

    /// Standard input, which is waited for as long as it takes.
    public init(standardInput: Void) {
        file = OpenFile(borrowing: .standardInput, path: "standard input")
        kind = .pipe
        patience = Self.patience
        hasWriter = true
    }

    /// Reads what there is, at least a byte.
    ///
    /// - Parameter limit: bytes at the most, above 0.
    /// - Returns: nothing at the end.
    public func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
                let got = systemRead(descriptor, to: memory.baseAddress, count: limit)
                if got < 0 { failure = errno }
                count = max(0, got)
            }
            switch failure {
            case 0 where !bytes.isEmpty:
                hasWriter = true
                return bytes
            case 0:
                guard !hasWriter else { return [] }
                try waitForWriter()
            case EAGAIN:
                hasWriter = true
                try wait(milliseconds: -1)
            case EINTR: continue
            default: throw FileError(path, .read, because: .system(Errno(rawValue: failure)))
            }
        }
    }

    /// A pipe without a writer is at its end at once; it only becomes readable with its first writer.
    private func waitForWriter() throws(FileError) {
        let time = min(max(.zero, patience), .milliseconds(Int32.max))
        guard try wait(milliseconds: Int32((time / .milliseconds(1)).rounded())) else {
            throw FileError(path, .read, because: .noWriter(waited: patience))
        }
        hasWriter = true
    }

    /// - Parameter milliseconds: below zero for as long as it takes.
    /// - Returns: whether there is something to read.
    @discardableResult
    private func wait(milliseconds: Int32) throws(FileError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count >= 0 { return count > 0 }
            guard Errno.last == .interrupted else { throw .last(path, .read) }
        }
    }

    /// Reads all of a file.
    ///
    /// - Parameters:
    ///   - path: of a file or pipe. Devices, which may have no end, are refused.
    ///   - limit: bytes at the most.
    ///   - patience: how long a named pipe may stay without a writer.
    public static func content(
        of path: FilePath, limit: Int, patience: Duration = InputFile.patience
    ) throws(FileError) -> [UInt8] {
        let file = try InputFile(path, patience: patience)
        guard file.kind != .device || isatty(file.descriptor) == 1 else {
            throw FileError(path, .read, because: .device)
        }
        // A file of many gigabytes is not read up to the limit before it is refused.
        if file.kind == .regular, try Int(clamping: file.file.facts().size) > limit {
            throw FileError(path, .read, because: .tooLarge(limit: limit))
        }
        return try file.content(limit: limit)
    }

    /// Reads all that is left of it.
    ///
    /// - Parameter limit: bytes at the most.
    public func content(limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read(upTo: 1 << 16)
            guard !piece.isEmpty else { return bytes }
            guard bytes.count + piece.count <= limit else {
                throw FileError(path, .read, because: .tooLarge(limit: limit))
            }
            bytes += piece
        }
    }
}
