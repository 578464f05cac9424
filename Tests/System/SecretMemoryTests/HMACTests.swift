import Testing

@testable import SecretMemory

@Suite("HMAC over SHA-2")
struct HMACTests {
    /// RFC 4231 sections 4.2, 4.3 and 4.7: the key, the data, and the codes by SHA-256 and SHA-512.
    private static let cases: [(key: [UInt8], data: [UInt8], sha256: String, sha512: String)] = [
        (
            Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            """
            87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f170\
            2e696c203a126854
            """
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            """
            164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b\
            636e070a38bce737
            """
        ),
        (
            Array(repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            """
            80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec\
            8b915a985d786598
            """
        ),
    ]

    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("codes are those of RFC 4231, whole, in parts, prepared and secret", arguments: cases.indices)
    func rfc4231(index: Int) throws {
        let (key, data, sha256, sha512) = Self.cases[index]
        let secretKey = try secret(key)
        #expect(hex(HMACSHA256.code(key: secretKey, [data])) == sha256)
        #expect(hex(HMACSHA512.code(key: secretKey, [data])) == sha512)
        #expect(hex(HMACSHA256.code(key: secretKey, [Array(data[..<5]), [], Array(data[5...])])) == sha256)

        let prepared = try HMACSHA256.PreparedKey(secretKey)
        for _ in 0..<2 {
            var code = [UInt8](repeating: 0, count: HMACSHA256.byteCount)
            code.withUnsafeMutableBytes { code in prepared.write(into: code) { update in data.withUnsafeBytes(update) }
            }
            #expect(hex(code) == sha256)
        }
        let message = try secret(data)
        let codes = try key.withUnsafeBytes { key in
            (try HMACSHA256.secretCode(key: key, of: message), try HMACSHA512.secretCode(key: key, of: message))
        }
        #expect(codes.0.withUnsafeBytes { hex($0) } == sha256)
        #expect(codes.1.withUnsafeBytes { hex($0) } == sha512)
    }

    @Test("an empty key and an empty message have a code")
    func empty() throws {
        #expect(
            hex(HMACSHA256.code(key: try secret([]), []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}
