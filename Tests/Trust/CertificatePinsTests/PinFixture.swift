import Foundation
import TestSupport
import Testing

/// The pins and certificates beside these tests (Fixtures/README.md says where they come from).
enum PinFixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static let spki = (try? JSON(contentsOf: folder.appending(path: "spki.json"))) ?? .null

    /// DER.
    static func certificate(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "spki/\(name).der")))
    }

    static let names = spki["pins"].object.keys.sorted()

    static let cases = spki["cases"].array.map(PinCase.init)
}

/// A line of `spki.json`.
struct PinCase: Sendable, CustomTestStringConvertible {
    let json: JSON
    var testDescription: String { json["name"].string ?? "?" }
    var pins: [String] { json["pins"].array.compactMap(\.string) }
    var chain: [String] { json["chain"].array.compactMap(\.string) }
}
