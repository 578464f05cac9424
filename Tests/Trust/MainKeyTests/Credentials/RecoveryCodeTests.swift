import SecretMemory
import Testing

@testable import MainKey

@Suite("RecoveryCode")
struct RecoveryCodeTests {
    private static let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    @Test("has 26 symbols, all of which occur and none of which is easily misread")
    func symbols() throws {
        var seen: Set<UInt8> = []
        var codes: Set<[UInt8]> = []
        for _ in 0..<200 {
            let code = try RecoveryCode.generate().bytes.testBytes
            #expect(code.count == 26)
            seen.formUnion(code)
            codes.insert(code)
        }
        #expect(seen == Self.alphabet)
        #expect(codes.count == 200)
    }

    @Test("is shown in groups of four, and what is shown reads back")
    func grouping() throws {
        let code = try RecoveryCode.generate()
        let shown = try code.grouped()
        let groups = shown.testBytes.split(separator: UInt8(ascii: "-"))
        #expect(groups.map(\.count) == [4, 4, 4, 4, 4, 4, 2])
        #expect(groups.joined().elementsEqual(code.bytes.testBytes))
        #expect(try RecoveryCode(typed: shown).bytes == code.bytes)
    }

    @Test(
        "reads what was typed",
        arguments: [
            ("7yfd-0kx2", "7YFD0KX2"), (" 7Y FD--0K ", "7YFD0K"), ("oOiIlL", "001111"), ("", ""), (" - ", ""),
            ("u!é", "U!é"),
        ])
    func typed(typed: String, code: String) throws {
        #expect(try RecoveryCode(typed: SecretBytes(test: typed)).bytes.testBytes == Array(code.utf8))
    }
}
