import BasicFoundation
import Console
import Files
import SplitBackup
import TextForms

/// A place that shares are read from, told by its name.
struct ShareSource {
    /// Bytes of a text at the most: shares of the largest set.
    private static let textLimit = 8 << 20

    private let place: String
    private let pictures: PictureOptions

    init(_ place: String, pictures: PictureOptions) {
        self.place = place
        self.pictures = pictures
    }

    /// Reads what is there.
    ///
    /// - Parameter take: gets each text; returns whether more is wanted.
    func read(_ take: (_ content: [UInt8]) throws -> Bool) throws {
        if place == "-" {
            try read(lines: InputFile(standardInput: ()).content(limit: Self.textLimit), take)
        } else if place.hasSuffix(".txt") || place.hasSuffix(".json") {
            try read(lines: InputFile.content(of: FilePath(place), limit: Self.textLimit), take)
        } else {
            try pictures.contents(from: place, take)
        }
    }

    /// A share may go over lines where it is alone.
    private func read(lines text: [UInt8], _ take: ([UInt8]) throws -> Bool) throws {
        let lines = text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).map { Array($0) }
            .filter { line in line.contains { $0 != 0x20 && $0 != 0x09 } }
        let isOne = lines.dropFirst().contains { $0.first { $0 != 0x20 && $0 != 0x09 } != UInt8(ascii: "{") }
        for content in isOne ? [text] : lines {
            guard try take(content) else { return }
        }
    }
}
