import Files

/// The files that a command reads whole, and writes in one step.
enum CommandFile {
    /// - Parameter limit: bytes.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        do { return try InputFile.content(of: FilePath(path), limit: limit) } catch {
            throw Failure(reading: path, error)
        }
    }

    /// Replaces the file in one step: a reader that opens the path meanwhile finds what was there before.
    static func write(_ content: [UInt8], to path: String) throws(Failure) {
        do { try PreparedFile.replace(FilePath(path), with: content) } catch {
            throw .cannotWrite(path: path, reason: "\(error.reason)")
        }
    }
}

extension Failure {
    init(reading path: String, _ error: FileError) {
        switch error.reason {
        case .tooLarge(let limit): self = .tooLarge(path: path, limit: limit)
        case .system(.noSuchFileOrDirectory): self = .cannotRead(path: path, reason: "there is no such file")
        case let reason: self = .cannotRead(path: path, reason: "\(reason)")
        }
    }
}
