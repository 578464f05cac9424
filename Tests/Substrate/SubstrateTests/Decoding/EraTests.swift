import SCALE
import Substrate
import Testing

@Suite("Eras")
struct EraTests {
    @Test(
        "eras read and are written back",
        arguments: [
            ([0], .immortal), ([0xb5, 0x01], .mortal(phase: 27, period: 64)),
            ([0x01, 0x00], .mortal(phase: 0, period: 4)),
            ([0xff, 0xff], .mortal(phase: 65520, period: 65536)), ([0x0e, 0x80], .mortal(phase: 16384, period: 32768)),
        ] as [([UInt8], Era)])
    func knownAnswers(bytes: [UInt8], era: Era) throws {
        var decoder = ScaleDecoder(bytes)
        #expect(try Era(from: &decoder) == era)
        #expect(era.encoded == bytes)
    }

    @Test("a phase outside its period, a period below 4 and a cut era are refused")
    func refusals() {
        for (bytes, code) in [([0xf1, 0xff], "Era"), ([0x10, 0x00], "Era"), ([0x05], "DataTooShort")]
            as [([UInt8], String)]
        {
            var decoder = ScaleDecoder(bytes)
            let error = #expect(throws: DecodingError.self) { try Era(from: &decoder) }
            #expect(error?.code == code)
        }
    }

    @Test("every two bytes are refused or are read and written back the same")
    func all() {
        for value in UInt16.min...UInt16.max where value & 0xff != 0 {
            let bytes = [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
            var decoder = ScaleDecoder(bytes)
            if let era = try? Era(from: &decoder), era.encoded != bytes {
                Issue.record("\(bytes) came back as \(era.encoded)")
            }
        }
    }
}
