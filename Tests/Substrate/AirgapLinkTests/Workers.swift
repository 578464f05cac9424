import Foundation
import PictureService
import QRCode
import Testing

@testable import AirgapLink

/// Workers that are built beside the tests.
enum Workers {
    private static let folder: URL = {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "casemate-worker").path),
            folder.path != "/"
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Terms that name a worker of the tests; the machine that runs them may lack layers.
    static func terms(
        _ name: String = "casemate-worker", _ change: (inout PictureReader.Terms) -> Void = { _ in }
    ) -> PictureReader.Terms {
        var terms = PictureReader.Terms()
        terms.program = .path(path(name))
        terms.allowsMissingLayers = true
        // Only a test that is about it waits for it.
        terms.timeLimit = .seconds(300)
        change(&terms)
        return terms
    }
}

enum Sample {
    /// A picture with a code in it, `width` pixels wide, as PGM.
    static func pgm(_ content: [UInt8], width: Int = 200) throws -> [UInt8] {
        let symbol = try QRSymbol.encode(bytes: content)
        var pixels = [UInt8](repeating: 255, count: width * width)
        for y in 0..<symbol.size {
            for x in 0..<symbol.size where symbol[x, y] {
                for dy in 0..<3 { for dx in 0..<3 { pixels[(20 + 3 * y + dy) * width + 20 + 3 * x + dx] = 0 } }
            }
        }
        return Array("P5 \(width) \(width) 255\n".utf8) + pixels
    }

    /// The pixels of a picture with two codes, 200 pixels wide and high.
    static func two() throws -> [UInt8] {
        let first = Array(try pgm([0x53, 1]).suffix(200 * 200))
        let second = Array(try pgm([0x53, 2]).suffix(200 * 200))
        return (0..<200 * 200).map { index in
            let (x, y) = (index % 200 - 85, index / 200 - 85)
            return min(first[index], x >= 0 && y >= 0 ? second[y * 200 + x] : 255)
        }
    }
}
