import Crypto
import Foundation
import Testing
import TextForms

@testable import AppAttest

@Suite("Refreshing receipts")
struct ReceiptRefreshTests {
    @Test("a token is a JWT that the key's public half verifies")
    func token() throws {
        let key = P256.Signing.PrivateKey()
        let tokens = try AppleServiceToken(
            privateKeyPEM: key.pemRepresentation, keyID: "KEY1234567", teamID: "ABCDE12345")
        let token = try tokens.token(at: Date(milliseconds: 1_700_000_000_999))
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        #expect(Base64.decode(parts[0]) == Array(#"{"alg":"ES256","kid":"KEY1234567"}"#.utf8))
        #expect(Base64.decode(parts[1]) == Array(#"{"iss":"ABCDE12345","iat":1700000000}"#.utf8))
        let raw = try #require(Base64.decode(parts[2]))
        #expect(raw.count == 64)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        #expect(key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(!token.contains("="))
    }

    @Test("names and keys of another form make no tokens")
    func badSetup() {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        #expect(throws: AppleServiceToken.SetupError.badIdentifier) {
            try AppleServiceToken(privateKeyPEM: pem, keyID: "KEY\"}", teamID: "ABCDE12345")
        }
        #expect(throws: AppleServiceToken.SetupError.badIdentifier) {
            try AppleServiceToken(privateKeyPEM: pem, keyID: "KEY1234567", teamID: "abcde12345")
        }
        #expect(throws: AppleServiceToken.SetupError.keyUnreadable) {
            try AppleServiceToken(
                privateKeyPEM: P384.Signing.PrivateKey().pemRepresentation, keyID: "KEY1234567", teamID: "ABCDE12345")
        }
    }

    @Test("each answer of Apple's server has its meaning")
    func answers() {
        let receipt: [UInt8] = [0x30, 0x80, 1, 2, 3]
        let body = Array(ReceiptRefresh.body(of: receipt).utf8)
        #expect(ReceiptRefresh.answer(status: 200, body: body) == .receipt(receipt))
        for (status, answer) in [
            304: ReceiptRefresh.Answer.tooEarly, 400: .refused, 401: .unauthorized, 404: .unknown, 429: .slowDown,
            500: .unavailable, 503: .unavailable, 302: .unexpected(status: 302),
        ] {
            #expect(ReceiptRefresh.answer(status: status, body: body) == answer)
        }
        for body: [UInt8] in [[], Array("%%".utf8), Array(repeating: 0x41, count: 33 << 10)] {
            #expect(ReceiptRefresh.answer(status: 200, body: body) == .unexpected(status: 200))
        }
        #expect(ReceiptRefresh.url(of: .production).hasPrefix("https://data.appattest.apple.com/"))
    }
}
