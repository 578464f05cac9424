import ForceFieldWire
import Testing

@Suite("FFV1: Codable types")
struct CodableTests {
    struct Reply: Codable, Equatable {
        var name: String
        var parts: [Part]
        var note: String?
        var table: [String: Int16]

        struct Part: Codable, Equatable {
            var kind: Kind
            var content: Bytes
            var size: UInt8
        }

        enum Kind: String, Codable {
            case text, picture
        }
    }

    private let reply = Reply(
        name: "Grüße",
        parts: [
            .init(kind: .text, content: Bytes([1, 2]), size: 2), .init(kind: .picture, content: Bytes([]), size: 255),
        ],
        note: nil, table: ["b": -1, "a": 300])

    /// The reply as a tree, with one part of it replaced.
    private func tree(_ change: (inout [String: WireValue]) -> Void) throws -> [UInt8] {
        var members: [String: WireValue] = [
            "name": .string("x"),
            "parts": .array([
                .map([.init("content", .bytes([1])), .init("kind", .string("text")), .init("size", .uint(1))])
            ]),
            "table": .map([.init("a", .int(1))]),
        ]
        change(&members)
        return try WireValue.map(members.map { WireValue.Entry($0.key, $0.value) }).ffv1()
    }

    @Test("what is written is read as it was")
    func roundTrip() throws {
        #expect(try FFV1.decode(Reply.self, from: FFV1.encode(reply)) == reply)
        #expect(try FFV1.decode(Reply.self, from: tree { _ in }).parts[0].content.array == [1])
    }

    @Test("an optional that is nil is absent from a map")
    func absent() throws {
        guard case .map(let entries) = try WireValue(ffv1: FFV1.encode(reply)) else {
            throw CodecError.badTag(offset: 0, found: 0)
        }
        #expect(entries.map(\.key) == ["name", "parts", "table"])
    }

    @Test("bytes are one value wherever they stand")
    func bytes() throws {
        #expect(try WireValue(ffv1: FFV1.encode([[1, 2], []] as [[UInt8]])) == .array([.bytes([1, 2]), .bytes([])]))
        #expect(try WireValue(ffv1: FFV1.encode(["k": [7] as [UInt8]?])) == .map([.init("k", .bytes([7]))]))
        #expect(try FFV1.decode([UInt8].self, from: [8, 1, 0, 0, 0, 9]) == [9])
        #expect(throws: CodecError.typeMismatch(path: "", expected: "bytes", found: "array")) {
            try FFV1.decode([UInt8].self, from: [9, 0, 0, 0, 0])
        }
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case box(Float, Float)
        case none
    }

    @Test("enums with values, sets and optionals in arrays are read as they were")
    func others() throws {
        let shapes = [Shape.circle(radius: 1.5), .box(1, 2), .none]
        #expect(try FFV1.decode([Shape].self, from: FFV1.encode(shapes)) == shapes)
        #expect(try FFV1.decode([Int?].self, from: FFV1.encode([1, nil, -3])) == [1, nil, -3])
        #expect(try FFV1.decode([Int: Bool].self, from: FFV1.encode([4: true])) == [4: true])
        #expect(try FFV1.decode(Set<String>.self, from: FFV1.encode(Set(["a"]))) == ["a"])
    }

    @Test("a reply that its type does not have is refused, with its place")
    func refusals() throws {
        let cases: [([UInt8], CodecError)] = [
            (
                try tree { $0["name"] = .int(1) },
                .typeMismatch(path: "name", expected: "string", found: "signed integer")
            ),
            (try tree { $0["name"] = nil }, .missingKey(path: "name")),
            (try tree { $0["extra"] = .nil }, .unknownKey(path: "extra")),
            (try tree { $0["table"] = .map([.init("a", .int(40_000))]) }, .outOfRange(path: "table.a")),
            (
                try tree { $0["table"] = .map([.init("a", .uint(1))]) },
                .typeMismatch(path: "table.a", expected: "signed integer", found: "unsigned integer")
            ),
            (try tree { $0["parts"] = .array([.nil]) }, .typeMismatch(path: "parts[0]", expected: "map", found: "nil")),
            (try tree { $0["parts"] = .array([.map([.init("x", .nil)])]) }, .unknownKey(path: "parts[0].x")),
        ]
        for (bytes, error) in cases {
            #expect(throws: error) { try FFV1.decode(Reply.self, from: bytes) }
        }
    }

    @Test("a case that an enum does not have is an invalid value at its place")
    func unknownCase() throws {
        let bytes = try tree {
            $0["parts"] = .array([
                .map([.init("content", .bytes([])), .init("kind", .string("film")), .init("size", .uint(0))])
            ])
        }
        #expect { try FFV1.decode(Reply.self, from: bytes) } throws: {
            guard case .invalidValue("parts[0].kind", _) = $0 as? CodecError else { return false }
            return true
        }
    }

    @Test("keys that are unknown are ignored where that is said")
    func ignored() throws {
        let bytes = try tree { $0["extra"] = .nil }
        #expect(try FFV1.decode(Reply.self, from: bytes, unknownKeys: .ignored).name == "x")
    }

    @Test("a large dictionary is read in time that its size explains")
    func dictionary() throws {
        let table = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("key \($0)", $0) })
        #expect(try FFV1.decode([String: Int].self, from: FFV1.encode(table)) == table)
    }

    private final class Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(self)
        }
    }

    @Test("a value without end is refused and not followed")
    func endless() {
        #expect { try FFV1.encode(Endless()) } throws: { ($0 as? CodecError)?.name == "depthExceeded" }
    }

    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    @Test("a type that encodes nothing is refused")
    func nothing() {
        #expect { try FFV1.encode([Nothing()]) } throws: { ($0 as? CodecError)?.name == "invalidValue" }
    }

    private struct Interleaved: Encodable {
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedUnkeyedContainer(forKey: .b)
            try outer.encode(1, forKey: .a)
            try inner.encode("late")
        }

        enum Key: CodingKey { case a, b }
    }

    @Test("a nested container may grow until its value ends")
    func interleaved() throws {
        #expect(
            try WireValue(ffv1: FFV1.encode(Interleaved()))
                == .map([.init("a", .int(1)), .init("b", .array([.string("late")]))]))
    }
}
