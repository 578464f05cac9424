import StrictJSON
import TestSupport
import Testing
import TextForms

@Suite("Public keys in PEM")
struct PublicKeyPEMTests {
    /// By OpenSSL 3.0.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEsWN+pokcGPwJ2cdEjlLK4klNuA58
        HeySjHEtCvTRMW6oBXMPAjy0AwRPvKQvfjfJ6Xfc1snZsbAndOK5EjlgMg==
        -----END PUBLIC KEY-----

        """
    private static let point = """
        04b1637ea6891c18fc09d9c7448e52cae2494db80e7c1dec928c712d0af4d1316ea805730f023cb403044fbca42f7e37c9e977dcd6c9d9b1b0\
        2774e2b912396032
        """

    @Test("a public key is written as OpenSSL writes it, and read with other line ends too")
    func pem() throws {
        let point = try #require(Hex.decode(Self.point))
        #expect(PublicKeyPEM.encode(point) == Self.pem)
        for text in [Self.pem, String(Self.pem.dropLast()), Self.pem.replacing("\n", with: "\r\n")] {
            #expect(PublicKeyPEM.decode(text) == point)
        }
    }

    @Test("public keys of genuine attestations are those of their PEM", .enabled(if: SharedData.has(vectors)))
    func genuineKeys() throws {
        let file = try JSONReader(maximumBytes: 1 << 24).read(SharedData.bytes(Self.vectors))
        let cases = try #require(file.array ?? file.object?.lazy.compactMap(\.value.array).first)
        #expect(cases.count >= 34)
        for item in cases {
            let text = try #require(item["expect"]?["public_key_spki_pem"]?.string)
            let hex = try #require(item["expect"]?["public_key_x963_hex"]?.string)
            #expect(PublicKeyPEM.decode(text) == Hex.decode(hex))
        }
    }

    private static let vectors = "appattest-gate/vectors/attestations.json"

    @Test("PEM with anything else in it is refused")
    func otherPEM() {
        let pem = Self.pem
        let others = [
            "", " " + pem, pem + pem, pem + "x", "note\n" + pem, pem.replacing("PUBLIC", with: "PRIVATE"),
            pem.replacing("MFkw", with: "MFkw\n\n"), pem.replacing("MFkw", with: "MFk w"),
            // A key on another curve, a compressed point, a byte more.
            pem.replacing("AQcDQgAE", with: "AQYDQgAE"), pem.replacing("AQcDQgAE", with: "AQcDQgAC"),
            pem.replacing("gMg==", with: "gMgA="),
        ]
        for other in others { #expect(PublicKeyPEM.decode(other) == nil, "\(other)") }
        for length in 0..<(pem.utf8.count - 1) { #expect(PublicKeyPEM.decode(String(pem.prefix(length))) == nil) }
    }
}
