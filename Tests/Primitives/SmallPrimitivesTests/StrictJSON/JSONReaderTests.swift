import StrictJSON
import TestSupport
import Testing

typealias JSON = StrictJSON.JSON

@Suite("JSONReader")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSON { try JSONReader().read(Array(text.utf8)) }

    private func error(_ bytes: [UInt8], _ reader: JSONReader = JSONReader()) -> JSONError? {
        do throws(JSONError) { _ = try reader.read(bytes) } catch { return error }
        return nil
    }

    @Test("the examples of RFC 8259 section 13 are read")
    func published() throws {
        let image = try read(
            """
            {
              "Image": {
                  "Width":  800,
                  "Height": 600,
                  "Title":  "View from 15th Floor",
                  "Thumbnail": {
                      "Url":    "http://www.example.com/image/481989943",
                      "Height": 125,
                      "Width":  100
                  },
                  "Animated" : false,
                  "IDs": [116, 943, 234, 38793]
                }
            }
            """)
        #expect(image["Image"]?["Thumbnail"]?["Url"]?.string == "http://www.example.com/image/481989943")
        #expect(image["Image"]?["IDs"]?.array?.compactMap(\.integer) == [116, 943, 234, 38793])
        #expect(image["Image"]?["Animated"]?.bool == false)
        let places = try read(
            #"[{"precision": "zip", "Latitude":  37.7668, "Longitude": -122.3959}, {"Latitude": 37.371991}]"#)
        #expect(places.array?.first?["Longitude"] == .number("-122.3959"))
        #expect(try read("\"Hello world!\"") == .string("Hello world!"))
        #expect(try (read("42"), read("true")) == (.number("42"), .bool(true)))
    }

    @Test(
        "values of every kind are read as they were written",
        arguments: [
            ("null", JSON.null), (" \t\r\n[ ] ", .array([])), ("{}", .object([])), ("-0", .number("-0")),
            ("0.10e+07", .number("0.10e+07")), ("1E-2", .number("1E-2")),
            ("123456789012345678901234567890", .number("123456789012345678901234567890")),
            (#""\"\\\/\b\f\n\r\t\u0041""#, .string("\"\\/\u{8}\u{c}\n\r\tA")), (#""\u0000""#, .string("\0")),
            (#""\uD834\udd1E é €""#, .string("\u{1d11e} é €")), ("\"\u{7f}\u{10ffff}\"", .string("\u{7f}\u{10ffff}")),
            (
                #"{"a":{"b":[1,{}]},"":null}"#,
                .object([
                    .init(
                        name: "a",
                        value: .object([.init(name: "b", value: .array([.integer(1), .object([])]))])),
                    .init(name: "", value: .null),
                ])
            ),
        ])
    func values(text: String, value: JSON) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "what is not JSON is refused at its byte",
        arguments: [
            ("", 0, JSONError.Reason.unexpectedEnd), ("  ", 2, .unexpectedEnd), ("[1", 2, .unexpectedEnd),
            (#"{"a""#, 4, .unexpectedEnd), ("\"a", 2, .unexpectedEnd), ("tru", 3, .unexpectedEnd),
            ("nulL", 3, .unexpectedByte), ("[1,]", 3, .unexpectedByte), (#"{"a":1,}"#, 7, .unexpectedByte),
            ("{a:1}", 1, .unexpectedByte), ("[1 2]", 3, .unexpectedByte), ("'a'", 0, .unexpectedByte),
            ("NaN", 0, .unexpectedByte), ("+1", 0, .unexpectedByte), (".5", 0, .unexpectedByte),
            ("\u{feff}1", 0, .unexpectedByte), ("/**/1", 0, .unexpectedByte), ("\u{c}1", 0, .unexpectedByte),
            (#"{"a" 1}"#, 5, .unexpectedByte), ("[}", 1, .unexpectedByte), ("01", 0, .malformedNumber),
            ("-", 0, .malformedNumber), ("-a", 0, .malformedNumber), ("1.", 0, .malformedNumber),
            ("[1.e5]", 1, .malformedNumber), ("1e", 0, .malformedNumber), ("1e+", 0, .malformedNumber),
            ("-012", 0, .malformedNumber), ("0x1", 1, .trailingBytes), ("1 1", 2, .trailingBytes),
            ("{}}", 2, .trailingBytes), ("1\0", 1, .trailingBytes), ("\"\n\"", 1, .controlCharacter),
            ("\"\\t\u{1f}\"", 3, .controlCharacter), (#""\a""#, 1, .malformedEscape),
            (#""\u12g4""#, 1, .malformedEscape),
            (#""\u12"#, 5, .unexpectedEnd), (#""\ud800""#, 1, .loneSurrogate), (#""\udc00\ud800""#, 1, .loneSurrogate),
            (#""x\ud800\u0041""#, 2, .loneSurrogate), (#"{"a":1,"a":1}"#, 7, .duplicateMember),
            (#"{"a":1,"b":{"c":1,"\u0063":2}}"#, 18, .duplicateMember),
        ])
    func refused(text: String, offset: Int, reason: JSONError.Reason) {
        #expect(error(Array(text.utf8)) == JSONError(offset: offset, reason: reason))
    }

    @Test(
        "strings that are not UTF-8 are refused",
        arguments: [
            [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80],
            [0x5c, 0x6e, 0xc3],
        ] as [[UInt8]])
    func notUTF8(content: [UInt8]) {
        #expect(error([0x22] + content + [0x22]) == JSONError(offset: 1, reason: .invalidUTF8))
    }

    @Test("a name is refused the second time among many members too")
    func manyMembers() {
        var text = (0..<1_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(error(Array("{\(text)}".utf8)) == nil)
        for index in [0, 7, 8, 9, 999] {
            text = (0..<1_000).map { "\"m\($0)\":0" }.joined(separator: ",") + ",\"m\(index)\":1"
            #expect(error(Array("{\(text)}".utf8))?.reason == .duplicateMember)
        }
    }

    @Test("a look-up takes the bytes of the name, not its looks")
    func lookUp() throws {
        let object = try read("{\"\u{212a}eyId\":1}")
        #expect(object["KeyId"] == nil)
        #expect(object["\u{212a}eyId"]?.integer == 1)
        #expect(object["KeyId"]?["x"] == nil && JSON.null["x"] == nil)
    }

    @Test("depth and size have bounds")
    func bounds() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(error(nested(16)) == nil)
        #expect(error(nested(17)) == JSONError(offset: 16, reason: .tooDeep))
        #expect(error(Array(#"{"a":[]}"#.utf8), JSONReader(maximumDepth: 1))?.reason == .tooDeep)
        #expect(error([0x31], JSONReader(maximumDepth: 0)) == nil)
        #expect(error(nested(20_000), JSONReader(maximumDepth: .max)) == JSONError(offset: 512, reason: .tooDeep))
        #expect(error([0x31, 0x31], JSONReader(maximumBytes: 1)) == JSONError(offset: 1, reason: .tooLarge))
        #expect(error([UInt8](repeating: 0x5b, count: 65_537))?.reason == .tooLarge)
        // The object counts too.
        let three = Array(#"{"a":1,"b":[]}"#.utf8)
        #expect(error(three, JSONReader(maximumValues: 3)) == nil)
        #expect(error(three, JSONReader(maximumValues: 2)) == JSONError(offset: 11, reason: .tooMany))
        #expect(error([0x31], JSONReader(maximumValues: 0)) == JSONError(offset: 0, reason: .tooMany))
    }

    @Test("only integers that fit are integers")
    func integers() throws {
        #expect(try read("-9223372036854775808").integer == .min)
        for text in ["9223372036854775808", "1.0", "1e3", "\"1\""] { #expect(try read(text).integer == nil) }
    }
}
