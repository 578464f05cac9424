import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import Vigil

@Suite("JSON from outside")
struct JSONValueTests {
    private func read(_ text: String, limits: JSONLimits = JSONLimits(bytes: 1 << 20)) throws -> JSONValue {
        try JSONValue(reading: [UInt8](text), within: limits)
    }

    @Test(
        "values are read as they are",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number("9223372036854775808")), ("-1.5e+2", .number("-1.5e+2")), ("[]", []),
            ("[1,[2]]", [1, [2]]), (#"{"a":{"b":[]},"":0}"#, ["a": ["b": []], "": 0]),
            (#""\u00e9\n\/\ud83d\ude00""#, "é\n/😀"), ("\"\u{7f}é😀\"", "\u{7f}é😀"),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "what is not JSON is refused, with the byte",
        arguments: [
            ("", 0), ("nul", 3), ("1 2", 2), ("01", 0), ("1.", 0), ("-", 0), ("[1,]", 3), ("{\"a\":1,}", 7),
            ("{a:1}", 1), ("[1", 2), ("\"a", 2), ("\"\\x\"", 1), ("\"\\ud800\"", 1), ("\"\\ude00\"", 1), ("\"\t\"", 1),
            ("\"\\u12+4\"", 1), ("1e", 0), ("'a'", 0), ("NaN", 0), ("// a\n1", 0), ("[1]]", 3),
        ])
    func refused(text: String, offset: Int) throws {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.offset == offset)
    }

    @Test("a name that stands twice in an object is refused")
    func twice() throws {
        #expect(throws: JSONError.self) { try read(#"{"a":1,"a":1}"#) }
        #expect(throws: JSONError.self) { try read(#"{"a":1,"\u0061":1}"#) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func utf8() throws {
        for bytes in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] as [[UInt8]] {
            #expect(throws: JSONError.self) {
                try JSONValue(reading: [0x22] + bytes + [0x22], within: JSONLimits(bytes: 100))
            }
        }
    }

    @Test("limits hold: bytes, depth, values")
    func limits() throws {
        #expect(throws: Never.self) { try read("[1,2]", limits: JSONLimits(bytes: 5, depth: 1, values: 3)) }
        #expect(throws: JSONError.self) { try read("[1,2]", limits: JSONLimits(bytes: 4, depth: 1, values: 3)) }
        #expect(throws: JSONError.self) { try read("[1,2]", limits: JSONLimits(bytes: 5, depth: 0, values: 3)) }
        #expect(throws: JSONError.self) { try read("[1,2]", limits: JSONLimits(bytes: 5, depth: 1, values: 2)) }
        #expect(throws: JSONError.self) {
            try read(String(repeating: "[", count: 1 << 20), limits: JSONLimits(bytes: 1 << 20))
        }
    }

    @Test("a tree is written and read again as it was, canonically and for people")
    func roundTrip() throws {
        var random = SplitMix64(state: 6)
        for _ in 0..<500 {
            let value = Self.tree(depth: 4, &random)
            #expect(try JSONValue(reading: value.canonicalText, within: JSONLimits(bytes: 1 << 20)) == value)
            #expect(try JSONValue(reading: value.readableText, within: JSONLimits(bytes: 1 << 20)) == value)
        }
    }

    @Test("canonical text has its members in order and nothing it could do without")
    func canonical() {
        let value: JSONValue = ["b": [1, "x\u{1}\"/é"], "a": ["é": .null, "z": .bool(false)], "B": []]
        #expect(value.canonicalText == [UInt8](#"{"B":[],"a":{"z":false,"é":null},"b":[1,"x\u0001\"/é"]}"#))
    }

    @Test("damaged text is refused or read, and never a trap")
    func damaged() throws {
        var random = SplitMix64(state: 7)
        let text = Self.tree(depth: 6, &random).canonicalText + [UInt8](#"["\ud83d\ude00",-1.5e-7]"#)
        for _ in 0..<20_000 {
            var copy = text
            for _ in 0...(random.next() % 3) { copy[Int(random.next() % UInt64(copy.count))] = random.byte() }
            _ = try? JSONValue(reading: copy, within: JSONLimits(bytes: 1 << 20))
        }
    }

    private static func tree(depth: Int, _ random: inout SplitMix64) -> JSONValue {
        switch random.next() % (depth > 0 ? 7 : 5) {
        case 0: .null
        case 1: .bool(random.next() % 2 == 0)
        case 2: .integer(Int64(truncatingIfNeeded: random.next()))
        case 3: .number("\(random.next() % 1000).5")
        case 4: .string(String((0..<random.next() % 9).map { _ in Character(Unicode.Scalar(random.byte())) }))
        case 5: .array((0..<random.next() % 5).map { _ in tree(depth: depth - 1, &random) })
        default:
            .object(
                Dictionary(
                    uniqueKeysWithValues: (0..<random.next() % 5).map { ("\($0)\"", tree(depth: depth - 1, &random)) }))
        }
    }
}
