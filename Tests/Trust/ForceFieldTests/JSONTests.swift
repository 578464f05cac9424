import ForceFieldWire
import StrictJSON
import Testing

@testable import ForceField

@Suite("JSON")
struct JSONTests {
    @Test("a value is written so that nothing in it can be taken for something else")
    func value() {
        let value = WireValue.map([
            .init("a", .bytes([0, 0xff])), .init("$bytes", .string("00")),
            .init("n", .array([.nil, .bool(true), .uint(.max)])),
            .init("d", .double(-0.5)), .init("x", .float(.nan)), .init("i", .double(-.infinity)),
        ])
        #expect(
            value.jsonText
                == #"{"a":{"$bytes":"00ff"},"$$bytes":"00","n":[null,true,18446744073709551615],"d":-0.5,"x":{"$number":"nan"},"i":{"$number":"-inf"}}"#
        )
    }

    @Test("characters that end, hide or reorder text are escaped")
    func escapes() {
        #expect(
            JSON.string("\"\\\n\u{1}\u{7f}\u{202e}é🛡\u{e0001}").reportText
                == #""\"\\\n\u0001\u007f\u202eé🛡\udb40\udc01""#
        )
    }
}
