import Files
import Foundation

/// A file or device that is read from its beginning, a piece at a time.
final class InputFile {
    private let file: Files.InputFile

    private static let pieceSize = 1 << 20

    init(path: String) throws(LinkError) {
        do throws(FileRefusal) { file = try Files.InputFile(path) } catch { throw LinkError(error) }
    }

    init(standardInput: Void) {
        file = Files.InputFile(standardInput: ())
    }

    var path: String { file.path }

    /// - Returns: nothing at the end.
    func read() throws(LinkError) -> Data {
        do throws(FileRefusal) {
            return Data(try file.read(upTo: Self.pieceSize))
        } catch {
            throw LinkError(error)
        }
    }

    /// Whether it can be read again from its begin.
    var isRegular: Bool { file.kind == .regular }

    /// - Returns: fewer bytes than `count` at the end only.
    func read(at offset: UInt64, upTo count: Int) throws(LinkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let taken = bytes.withUnsafeMutableBytes {
                pread(
                    file.descriptor, $0.baseAddress.map { $0 + filled }, count - filled,
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
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }
}

extension LinkError {
    fileprivate init(_ refusal: FileRefusal) {
        switch refusal {
        case .folder(let path): self = .unreadable(path: path, reason: "it is a folder")
        case .unreadable(let path, let reason), .unwritable(let path, let reason):
            self = .unreadable(path: path, reason: reason)
        }
    }
}
