import Foundation
import TestSupport
import Testing

@testable import CertificatePins

@Suite("Pins of keys")
struct SPKIPinTests {
    @Test("the pin of a certificate is the known one", arguments: PinFixture.names)
    func knownPins(name: String) throws {
        let pin = try SPKIPin(certificate: PinFixture.certificate(name))
        #expect(pin.description == PinFixture.spki["pins"][name].string)
    }

    @Test("all certificates and cases of pins are there")
    func fixturesPresent() {
        #expect(PinFixture.names.count == 8)
        #expect(PinFixture.cases.count == 11)
    }

    @Test("a certificate in PEM has the pin that it has in DER, whatever text stands around it")
    func pem() throws {
        let der = try PinFixture.certificate("leaf_rsa")
        let pem = Self.pem(der)
        let pin = try SPKIPin(certificate: der)
        #expect(try SPKIPin(certificate: Array(pem.utf8)) == pin)
        #expect(try SPKIPin(certificate: Array(("subject=CN = pin.example.test\n" + pem + "\n").utf8)) == pin)
    }

    @Test("a file of two certificates is refused, and so is a key in PEM")
    func otherPEM() throws {
        let pem = Self.pem(try PinFixture.certificate("leaf_ec"))
        #expect(isMalformed { try SPKIPin(certificate: Array((pem + "\n" + pem).utf8)) })
        let key = pem.replacing("CERTIFICATE", with: "PUBLIC KEY")
        #expect(isMalformed { try SPKIPin(certificate: Array(key.utf8)) })
    }

    @Test("reading the text of a pin and writing it gives the same text")
    func textRoundTrip() throws {
        for name in PinFixture.names {
            let text = try #require(PinFixture.spki["pins"][name].string)
            #expect(try SPKIPin(text).description == text)
        }
    }

    @Test(
        "text that is not exactly a pin is refused",
        arguments: [
            "", "sha256/", "sha256/AAAA",
            "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            "SHA256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=",
            "wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=",
            "sha256/wu1aTGV8BkMkjctC5tND7oH_U1eoCIy2S3OE_8UbWhQ=",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ==",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhR=",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=\n",
            " sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eo CIy2S3OE/8UbWhQ=",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=\0",
            "sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQAwu1a",
        ])
    func malformedText(text: String) {
        #expect {
            try SPKIPin(text)
        } throws: { error in
            if case PinError.configError = error { true } else { false }
        }
    }

    private static func pem(_ der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n"
            + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            + "\n-----END CERTIFICATE-----"
    }

    private func isMalformed(_ body: () throws -> SPKIPin) -> Bool {
        do {
            _ = try body()
            return false
        } catch PinError.malformed(_) {
            return true
        } catch {
            return false
        }
    }
}
