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
