#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file, pipe or device that is open for reading.
///
/// A named pipe without a writer is waited for, but not for ever.
public final class InputFile {
    public enum Kind: Sendable { case regular, pipe, device }

    /// How long a named pipe may stay without a writer.
    public static let patience = Duration.seconds(10)

    public let path: String
    public let descriptor: Int32
    public let kind: Kind
    private let patience: Duration
    private var hasWriter: Bool
    private let isBorrowed: Bool

    /// - Throws: ``FileRefusal/unreadable(path:reason:)``, ``FileRefusal/folder(path:)``.
    public init(_ path: String, patience: Duration = InputFile.patience) throws(FileRefusal) {
        // Without O_NONBLOCK a named pipe is not even open until it has a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.reason()) }
        var facts = stat()
        let isKnown = fstat(descriptor, &facts) == 0
        let reason = Self.reason()
        guard isKnown, facts.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw isKnown ? .folder(path: path) : .unreadable(path: path, reason: reason)
        }
        kind =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFCHR, S_IFBLK: .device
            default: .pipe
            }
        hasWriter = kind != .pipe
        isBorrowed = false
        self.path = path
        self.descriptor = descriptor
        self.patience = patience
    }

    /// Standard input, which is waited for as long as it takes.
    public init(standardInput: Void) {
        path = "standard input"
        descriptor = STDIN_FILENO
        kind = .pipe
        patience = Self.patience
        hasWriter = true
        isBorrowed = true
    }

    deinit { if !isBorrowed { close(descriptor) } }

    /// Reads what there is, at least a byte.
    ///
    /// - Parameter limit: bytes at the most, above 0.
    /// - Returns: nothing at the end.
    public func read(upTo limit: Int) throws(FileRefusal) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
                #if canImport(Glibc)
                    let got = Glibc.read(descriptor, memory.baseAddress, limit)
                #else
                    let got = Darwin.read(descriptor, memory.baseAddress, limit)
                #endif
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
            default: throw .unreadable(path: path, reason: String(cString: strerror(failure)))
            }
        }
    }

    /// A pipe without a writer is at its end at once; it only becomes readable with its first writer.
    private func waitForWriter() throws(FileRefusal) {
        guard try wait(milliseconds: Int32((patience / .milliseconds(1)).rounded())) else {
            throw .unreadable(
                path: path,
                reason: "it is a pipe, and nobody wrote to it within \(patience.components.seconds) seconds")
        }
        hasWriter = true
    }

    /// - Parameter milliseconds: below zero for as long as it takes.
    /// - Returns: whether there is something to read.
    @discardableResult
    private func wait(milliseconds: Int32) throws(FileRefusal) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw .unreadable(path: path, reason: Self.reason()) }
        }
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}

extension InputFile {
    /// Reads all of a file.
    ///
    /// - Parameters:
    ///   - path: of a file or pipe. Devices, which may have no end, are refused.
    ///   - limit: bytes at the most.
    public static func content(
        of path: String, limit: Int, patience: Duration = InputFile.patience
    ) throws(FileRefusal) -> [UInt8] {
        let file = try InputFile(path, patience: patience)
        guard file.kind != .device || isatty(file.descriptor) == 1 else {
            throw .unreadable(path: path, reason: "it is a device and no file")
        }
        return try file.content(limit: limit)
    }

    /// What is left of it.
    public func content(limit: Int) throws(FileRefusal) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read(upTo: 1 << 16)
            guard !piece.isEmpty else { return bytes }
            guard bytes.count + piece.count <= limit else {
                throw .unreadable(path: path, reason: "it has more than \(Self.text(limit))")
            }
            bytes += piece
        }
    }

    private static func text(_ count: Int) -> String {
        count % (1 << 20) == 0 ? "\(count >> 20) MiB" : "\(count) bytes"
    }
}
