import Testing

@testable import SecretMemory

@Suite("HKDF over SHA-256")
struct HKDFTests {
    /// RFC 5869 sections A.1 to A.3: input, salt, what it is for, the extracted key, and the output.
    private static let cases: [(input: [UInt8], salt: [UInt8], info: [UInt8], key: String, output: String)] = [
        (
            Array(repeating: 0x0b, count: 22), Array(0x00...0x0c), Array(0xf0...0xf9),
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            Array(0x00...0x4f), Array(0x60...0xaf), Array(0xb0...0xff),
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8\
            367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            Array(repeating: 0x0b, count: 22), [], [],
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    private func hex(_ secret: SecretBytes) -> String {
        secret.withUnsafeBytes { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    }

    @Test("keys are those of RFC 5869", arguments: cases.indices)
    func rfc5869(index: Int) throws {
        let known = Self.cases[index]
        let input = try SecretBytes(copying: known.input)
        let key = try HKDFSHA256.extract(salt: known.salt, input)
        #expect(hex(key) == known.key)
        let count = known.output.count / 2
        #expect(hex(try HKDFSHA256.expand(key, info: known.info, count: count)) == known.output)
        let derived = try HKDFSHA256.derive(input, salt: known.salt, info: known.info, count: count)
        #expect(hex(derived) == known.output)
    }

    @Test("fewer bytes are the beginning of more, up to 255 blocks")
    func counts() throws {
        let key = try SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let all = hex(try HKDFSHA256.expand(key, info: [1], count: HKDFSHA256.maximumCount))
        for count in [1, 31, 32, 33, 64, 8159] {
            #expect(hex(try HKDFSHA256.expand(key, info: [1], count: count)) == all.prefix(2 * count))
        }
        #expect(hex(try HKDFSHA256.expand(key, info: [2])) != all.prefix(64))
    }

    @Test("a code is known by its bytes and their number")
    func comparedCodes() throws {
        let key = try SecretBytes(copying: [1, 2, 3])
        let code = HMACSHA256.code(key: key, [[4], [5]])
        #expect(HMACSHA256.isCode(code, key: key, [[4, 5]]))
        #expect(!HMACSHA256.isCode(code, key: key, [[4, 6]]))
        #expect(!HMACSHA256.isCode(Array(code.dropLast()), key: key, [[4, 5]]))
        #expect(!HMACSHA256.isCode(code + [0], key: key, [[4, 5]]))
        var changed = code
        changed[31] ^= 1
        #expect(!HMACSHA256.isCode(changed, key: key, [[4, 5]]))
    }
}
