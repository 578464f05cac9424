import StrictJSON
import TestSupport
import Testing

@Suite("JSON: properties")
struct JSONPropertyTests {
    private func value(_ random: inout SplitMix64, depth: Int) -> JSON {
        switch UInt8.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2:
            return .number(["0", "-1", "1.50", "2e+9", "18446744073709551616"].randomElement(using: &random) ?? "0")
        case 3: return .string(text(&random))
        case 4: return .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default:
            return .object(
                (0..<Int.random(in: 0..<12, using: &random)).map {
                    .init(name: "\($0)" + text(&random), value: value(&random, depth: depth - 1))
                })
        }
    }

    private func text(_ random: inout SplitMix64) -> String {
        let scalars = (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(in: 0..<0x11_0000, using: &random) >> UInt32.random(in: 0..<21, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test("any value is read as it was written, on one line or on many")
    func roundTrip() throws {
        var random = SplitMix64(state: 1)
        for _ in 0..<2_000 {
            let value = value(&random, depth: 4)
            for pretty in [false, true] {
                #expect(try JSONReader().read(Array(value.text(pretty: pretty).utf8)) == value)
            }
        }
    }

    @Test("texts are written in one way")
    func written() throws {
        let value = try JSONReader().read(Array(#"{ "a":[1, {}, []] ,"b\u0001\/é":"\ud83d\ude00\n" }"#.utf8))
        #expect(value.text() == "{\"a\":[1,{},[]],\"b\\u0001/é\":\"😀\\n\"}")
        #expect(
            value.text(pretty: true) == "{\n  \"a\": [\n    1,\n    {},\n    []\n  ],\n  \"b\\u0001/é\": \"😀\\n\"\n}")
    }

    @Test("sorted, equal values have one text: members by the bytes of their names, at every depth")
    func sorted() throws {
        let value: JSON = [
            "b": [.integer(1), "x\u{1}\"/é"], "a": ["é": .null, "z": .bool(false)], "B": [], "": [["y": "", "x": ""]],
        ]
        let text = #"{"":[{"x":"","y":""}],"B":[],"a":{"z":false,"é":null},"b":[1,"x\u0001\"/é"]}"#
        #expect(value.sorted.text() == text)
        #expect(try JSONReader().read(Array(text.utf8)) == value.sorted)
        #expect(JSON.object(["b": "", "a": "", "c": ""]).sorted == ["a": "", "b": "", "c": ""])
    }

    @Test("an object that is cut anywhere is refused")
    func cut() throws {
        var random = SplitMix64(state: 2)
        for _ in 0..<200 {
            let bytes = JSON.object([.init(name: "a", value: value(&random, depth: 3))]).utf8()
            for end in 0..<bytes.count {
                #expect(throws: JSONError.self) { try JSONReader().read(Array(bytes[..<end])) }
            }
        }
    }

    @Test("changed and random bytes never trap, and an error names a byte of the text")
    func changed() {
        var random = SplitMix64(state: 3)
        let alphabet = Array("{}[]\",:\\u0123dD8e.-+ tfn".utf8)
        for round in 0..<30_000 {
            var bytes = round % 2 == 0 ? value(&random, depth: 3).utf8() : []
            for _ in 0..<Int.random(in: 1..<20, using: &random) {
                let byte = alphabet.randomElement(using: &random).map { $0 ^ (random.next() % 32 == 0 ? 0x80 : 0) } ?? 0
                bytes.insert(byte, at: Int.random(in: 0...bytes.count, using: &random))
            }
            do throws(JSONError) {
                let value = try JSONReader().read(bytes)
                #expect((try? JSONReader().read(value.utf8())) == value)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }
}
