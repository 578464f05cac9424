import ForceFieldKnownAnswers
import ForceFieldWire
import Foundation
import TestSupport
import Testing

/// The known answers beside the tests of the host's room.
enum Fixture {
    static func known(_ name: String) -> JSON {
        let folder = packageRoot.appending(path: "Tests/Trust/ForceFieldTests/Fixtures")
        return (try? JSON(contentsOf: folder.appending(path: name))) ?? .null
    }
}

@Suite("FFV1: known answers")
struct CodecKnownAnswerTests {
    private static let vectors = Fixture.known("codec_vectors.json")

    @Test("there are 24 values and 19 refusals")
    func counts() {
        #expect(Self.vectors["valid"].array.count == 24)
        #expect(Self.vectors["invalid"].array.count == 19)
    }

    @Test("a value has its bytes, and the bytes have the value", arguments: vectors["valid"].array)
    func valid(_ vector: JSON) throws {
        let bytes = try #require(vector["hex"].hex)
        let value = try WireValue(vector["value"])
        #expect(try value.ffv1() == bytes)
        #expect(try WireValue(ffv1: bytes) == value)
    }

    @Test("what is no FFV1 is refused with its reason", arguments: vectors["invalid"].array)
    func invalid(_ vector: JSON) throws {
        let bytes = try #require(vector["hex"].hex)
        #expect { try WireValue(ffv1: bytes) } throws: { ($0 as? CodecError)?.name == vector["error"].string }
    }

    @Test("a type with every kind of field has the bytes of the known map")
    func request() throws {
        struct DecodeRequest: Codable, Equatable {
            var strict: Bool
            var maxPixels: UInt32
            var bytes: [UInt8]
        }
        let request = DecodeRequest(strict: true, maxPixels: 1_048_576, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])
        let vector = try #require(Self.vectors["valid"].array.first { $0["name"].string == "decode-request" })
        let bytes = try #require(vector["hex"].hex)
        #expect(try FFV1.encode(request) == bytes)
        #expect(try FFV1.decode(DecodeRequest.self, from: bytes) == request)
    }
}
