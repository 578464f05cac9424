import Airgap
import BasicFoundation
import Console
import Files
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

    /// Writes codes to a file: one as a picture, several as a film.
    ///
    /// - Parameter count: how many; one of them, as a PNG, is a picture that stands still.
    package static func write(
        _ sender: TransferSender, count: Int, framesPerSecond: Int = 15, to file: PreparedFile,
        as writer: any QRFilmWriter.Type
    ) throws {
        let first = try QRSymbol.encode(bytes: sender.content(0))
        if count == 1, writer == APNGWriter.self {
            try file.write(QRPicture.png(first))
            return try file.commit()
        }
        var writer = writer.init(
            QRFilmShape(symbolSize: first.size, frameCount: count, framesPerSecond: framesPerSecond))
        var progress = ProgressLine(label: "code", of: count)
        defer { progress.end() }
        try file.write(writer.head())
        for number in 0..<count {
            let symbol = number == 0 ? first : try QRSymbol.encode(bytes: sender.content(number))
            try file.write(writer.frame(symbol))
            progress.show(number + 1)
        }
        try file.write(writer.tail())
        try file.commit()
    }
}
