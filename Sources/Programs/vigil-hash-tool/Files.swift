import Foundation

/// What a command reads whole.
enum InputFile {
    /// - Parameter limit: bytes.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let content = try file.read(upToCount: limit + 1) ?? Data()
            guard content.count <= limit else { throw Failure.tooLarge(path: path, limit: limit) }
            return Array(content)
        } catch let failure as Failure {
            throw failure
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            throw .cannotRead(path: path, reason: "there is no such file")
        } catch {
            throw .cannotRead(path: path, reason: error.localizedDescription)
        }
    }
}

/// What a command writes, in one step.
enum OutputFile {
    static func write(_ content: [UInt8], to path: String) throws(Failure) {
        do {
            try Data(content).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: error.localizedDescription)
        }
    }
}
