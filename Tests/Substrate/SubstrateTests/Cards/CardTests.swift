import Substrate
import TestSupport
import Testing

@Suite("Amounts")
struct AmountTests {
    @Test(
        "amounts keep all digits and take the prefix of their size",
        arguments: [
            ("100000000", 12, "WND", "100.000000 uWND"), ("12", 2, "X", "120 mX"), ("0", 12, "X", "0 pX"),
            ("0", 2, "X", "0.00 X"),
            ("1", 40, "X", "0.0000000000000000000001 aX"), ("1061900000000", 12, "WND", "1.061900000000 WND"),
            ("340282366920938463463374607431768211455", 30, "U", "340.282366920938463463374607431768211455 MU"),
            ("340282366920938463463374607431768211455", 0, "U", "340282366920938463463374607.431768211455 TU"),
            ("0", 255, "X", "0." + String(repeating: "0", count: 237) + " aX"),
        ] as [(String, UInt8, String, String)])
    func knownAnswers(value: String, decimals: UInt8, unit: String, shown: String) throws {
        #expect(Amount(try #require(UInt128(value)), decimals: decimals, unit: unit).description == shown)
    }

    @Test("the digits of an amount are those of its number")
    func digits() {
        var random = SplitMix64(state: 3)
        for _ in 0..<500 {
            let value = (UInt128(random.next()) << 64 | UInt128(random.next())) >> UInt128(random.next() % 128)
            let amount = Amount(value, decimals: 10, unit: "")
            let digits = amount.number.filter { $0 != "." }.drop { $0 == "0" }
            let expected = String(value).drop { $0 == "0" }
            #expect(digits.hasPrefix(expected) && digits.dropFirst(expected.count).allSatisfy { $0 == "0" })
        }
    }
}
