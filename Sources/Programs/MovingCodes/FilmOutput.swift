import Airgap
import Console
import Foundation
import QRCode
import QRFilms

/// A file of codes: a picture of one, or a film of several.
package enum FilmOutput {
    /// What the name's ending asks for; nil where it says nothing.
    package static func writer(for path: String) -> (any QRFilmWriter.Type)? {
        switch URL(filePath: path).pathExtension.lowercased() {
        // An animated PNG is a PNG.
        case "png", "apng": APNGWriter.self
        case "gif": GIFWriter.self
        case "y4m": Y4MWriter.self
        case "html", "htm": HTMLFilmWriter.self
        default: nil
        }
    }

    /// Writes codes beside the file and puts them in its place at the end: after a crash the old file is there or the new one.
    ///
    /// - Parameter count: how many; one of them, as a PNG, is a picture that stands still.
    package static func write(
        _ sender: TransferSender, count: Int, framesPerSecond: Int = 15, to path: String,
        as writer: any QRFilmWriter.Type
    ) throws {
        let first = try QRSymbol.encode(bytes: sender.content(0))
        if count == 1, writer == APNGWriter.self { return try write(QRPicture.png(first), to: path) }
        var writer = writer.init(
            QRFilmShape(symbolSize: first.size, frameCount: count, framesPerSecond: framesPerSecond))
        let draft = path + ".part"
        guard FileManager.default.createFile(atPath: draft, contents: nil),
            let handle = FileHandle(forWritingAtPath: draft)
        else { throw CannotWrite(path: path, reason: String(cString: strerror(errno))) }
        var progress = ProgressLine(label: "code", of: count)
        defer { progress.end() }
        do {
            try handle.write(contentsOf: writer.head())
            for number in 0..<count {
                let symbol = number == 0 ? first : try QRSymbol.encode(bytes: sender.content(number))
                try handle.write(contentsOf: writer.frame(symbol))
                progress.show(number + 1)
            }
            try handle.write(contentsOf: writer.tail())
            try handle.close()
            guard rename(draft, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw CannotWrite(path: path, reason: error.localizedDescription)
        }
    }

    /// Replaces a file at once.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw CannotWrite(path: path, reason: error.localizedDescription)
        }
    }
}

/// A file cannot be written.
package struct CannotWrite: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path) cannot be written: \(reason)" }
}
