import Foundation

/// A file or device that is read from its beginning, a piece at a time.
final class InputFile {
    let path: String
    private let handle: FileHandle
    private(set) var isAtEnd = false

    private static let pieceSize = 1 << 20

    init(path: String) throws(LinkError) {
        self.path = path
        do { handle = try FileHandle(forReadingFrom: URL(filePath: path)) } catch {
            throw .unreadable(path: path, reason: Self.reason(error))
        }
    }

    init(standardInput: Void) {
        path = "standard input"
        handle = .standardInput
    }

    /// - Returns: nothing at the end.
    func read() throws(LinkError) -> Data {
        do {
            let piece = try handle.read(upToCount: Self.pieceSize) ?? Data()
            isAtEnd = piece.isEmpty
            return piece
        } catch {
            throw .unreadable(path: path, reason: Self.reason(error))
        }
    }

    /// Whether it can be read again from its begin.
    var isRegular: Bool {
        var facts = stat()
        return fstat(handle.fileDescriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    /// - Returns: fewer bytes than `count` at the end only.
    func read(at offset: UInt64, upTo count: Int) throws(LinkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let taken = bytes.withUnsafeMutableBytes {
                pread(
                    handle.fileDescriptor, $0.baseAddress.map { $0 + filled }, count - filled,
                    off_t(clamping: offset) + off_t(filled))
            }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            if taken == 0 { break }
            filled += taken
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The files of a folder but for hidden ones, so ordered that 10 comes behind 9.
    static func files(inFolder path: String) throws(LinkError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { !$0.hasPrefix(".") }
                .map { URL(filePath: path).appending(path: $0).path }
                .filter { !isFolder($0) }
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        } catch {
            throw .unreadable(path: path, reason: reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        error.localizedDescription
    }
}
