import Testing

@testable import AppAttest

@Suite("ECDSA signatures in DER")
struct SignatureFormTests {
    private static let one: [UInt8] = [0x02, 0x01, 0x01]

    private func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }

    @Test("numbers are padded to 32 bytes, high ones too")
    func reads() {
        let high: [UInt8] = [0x02, 0x21, 0x00] + Array(repeating: 0xff, count: 32)
        let raw = SignatureForm.rawRepresentation(der: sequence(Self.one + high)[...])
        #expect(raw == Array(repeating: 0, count: 31) + [1] + Array(repeating: 0xff, count: 32))
        #expect(SignatureForm.rawRepresentation(der: sequence([0x02, 0x02, 0x00, 0x80] + Self.one)[...])?[31] == 0x80)
    }

    @Test(
        "every other encoding of two numbers is refused",
        arguments: [
            [], [0x02, 0x00], [0x02, 0x01, 0x00], [0x02, 0x01, 0x80], [0x02, 0x02, 0x00, 0x01],
            [0x02, 0x02, 0xff, 0x01],
            [0x02, 0x81, 0x01, 0x01], [0x22, 0x03, 0x02, 0x01, 0x01], [0x03, 0x01, 0x01],
            [0x02, 0x21, 0x01] + Array(repeating: 0, count: 32),
            [0x02, 0x22, 0x00, 0xff] + Array(repeating: 0, count: 32),
            [0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
        ] as [[UInt8]])
    func refuses(number: [UInt8]) {
        #expect(SignatureForm.rawRepresentation(der: sequence(number + Self.one)[...]) == nil)
        #expect(SignatureForm.rawRepresentation(der: sequence(Self.one + number)[...]) == nil)
    }

    @Test("a sequence of another length, or with bytes behind it, is refused")
    func outside() {
        let good = sequence(Self.one + Self.one)
        #expect(SignatureForm.rawRepresentation(der: good[...]) != nil)
        #expect(SignatureForm.rawRepresentation(der: (good + [0])[...]) == nil)
        #expect(SignatureForm.rawRepresentation(der: good.dropLast()) == nil)
        #expect(SignatureForm.rawRepresentation(der: ([0x30, 0x81, 0x06] + good.dropFirst(2))[...]) == nil)
        #expect(SignatureForm.rawRepresentation(der: ([0x30, 0x80] + good.dropFirst(2) + [0, 0])[...]) == nil)
        #expect(SignatureForm.rawRepresentation(der: ([0x31] + good.dropFirst())[...]) == nil)
    }
}
