import Testing
import TextForms

@testable import Vigil

@Suite("Public keys in files")
struct PublicKeyTests {
    /// The public key of RFC 6979, A.2.5, as OpenSSL writes it.
    private static let lines = [
        "-----BEGIN PUBLIC KEY-----", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7",
        "Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==", "-----END PUBLIC KEY-----",
    ]

    @Test("PEM is read as OpenSSL writes it, with any ends of lines")
    func known() throws {
        let point =
            "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        for end in ["\n", "\r\n"] {
            let key = try #require(PublicKey(pem: Self.lines.joined(separator: end) + end))
            #expect(Hex.encode(key.x963) == point)
            #expect(PublicKey(spkiOrX963: key.spki) == key)
        }
        #expect(PublicKey(pem: Self.lines.joined(separator: "\n")) != nil)
    }

    @Test("what is no key of P-256 in PEM is refused")
    func refused() {
        let (begin, first, second, end) = (Self.lines[0], Self.lines[1], Self.lines[2], Self.lines[3])
        let others = [
            [], [""], [begin, end], [begin, first, second], [first, second, end], [begin, first, end],
            ["-----BEGIN EC PRIVATE KEY-----", first, second, "-----END EC PRIVATE KEY-----"],
            Self.lines + Self.lines, ["a word"] + Self.lines, Self.lines + ["a word"],
            // Other letters, no padding, one byte more.
            [begin, first, String(second.dropLast(3)) + "*==", end], [begin, first, String(second.dropLast(2)), end],
            [begin, first, String(second.dropLast(2)) + "AA==", end],
            // A point beside the curve.
            [begin, first, "Zfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==", end],
            // The curve secp256k1, and a compressed point of P-256.
            [
                begin, "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEB4kbwZbFm19fWZp0EkfJ9L6YhL0GRfLB",
                "6f7gedZMSXwYBqpogoEtd+b9d3fMEv3jW3WhSFQ/ZTiytZFJc95BfQ==", end,
            ],
            [
                begin, "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADlJbkOGqU4NliiPQbmDj8D1lX0GBo", "l/kLWCKL+FMbaH0=", end,
            ],
        ]
        for lines in others { #expect(PublicKey(pem: lines.joined(separator: "\n")) == nil, "\(lines)") }
    }
}
