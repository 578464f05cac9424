import Foundation
import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Names, paths and exposure of stored keys")
struct StoredKeyTests {
    static func exposed(_ path: String, hasPassword: Bool = false, seed: String = "Alice") -> AddressDetails {
        AddressDetails(
            seedName: seed, path: path, hasPassword: hasPassword, networks: [], scheme: .sr25519, secretExposed: true)
    }

    @Test(
        "each published path is taken, told to hold a password, or refused",
        .enabled(if: SharedData.has(KnownRecords.folder)))
    func paths() throws {
        for known in try SharedData.json("signer-product/keys.json")["paths"].array {
            let text = try #require(known["input"].string)
            let outcome = Result { () throws(SURIError) in try DerivationPath(parsing: text) }
            if known["valid"].bool == true && known["password"].isNull {
                #expect(try outcome.get().description == known["path"].string)
            } else {
                let error = #expect(throws: SURIError.self) { try outcome.get() }
                if known["valid"].bool == true { #expect(error == .passwordInPath, "\(text)") }
            }
        }
    }

    /// `//Alice` as subkey and polkadot-js have it: where the account is not the public key, wallets know it alone.
    @Test(
        "the picture of a key is that of its account, which destinations and contacts draw, whatever the scheme",
        arguments: [
            (
                SignatureScheme.sr25519, "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d",
                "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
            ),
            (
                .ed25519, "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee",
                "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee"
            ),
            (
                .ecdsa, "020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1",
                "01e552298e47454041ea31273b4b630c64c104e4514aa3643490b8aaca9cf8ed"
            ),
        ])
    func picture(scheme: SignatureScheme, key: String, account: String) throws {
        let signer = try #require(MultiSigner(scheme: scheme, publicKey: Hex.decode(key) ?? []))
        let own = AccountAddress.of(signer, scheme: scheme, prefix: 42)
        let bytes = try #require(Hex.decode(account))
        #expect(own.identicon == .dots(bytes))
        #expect(own == AccountAddress(accountID: bytes, prefix: 42))
        let stored = StoredKey(
            signer: signer,
            details: AddressDetails(
                seedName: "demo", path: "//Alice", hasPassword: false, networks: [], scheme: scheme,
                secretExposed: false))
        #expect(OwnKeys([stored], []).name(of: own) == "demo//Alice")
    }

    @Test("each published pair of keys gives the other away or not", .enabled(if: SharedData.has(KnownRecords.folder)))
    func exposure() throws {
        let cases = try SharedData.json("signer-product/keys.json")["exposure"].array
        #expect(!cases.isEmpty)
        for known in cases {
            let from = Self.exposed(
                try #require(known["exposedPath"].string),
                hasPassword: try #require(known["exposedPassworded"].bool as Bool?))
            let reaches = SecretExposure.reaches(
                from: from, path: try #require(known["path"].string),
                hasPassword: try #require(known["passworded"].bool as Bool?), seed: "Alice")
            #expect(reaches == known["marked"].bool, "\(known)")
        }
    }

    @Test("a secret that is out gives away what is below it, of its own seed, whatever the letters are")
    func exposureRules() {
        func reaches(_ from: AddressDetails, path: String, hasPassword: Bool = false) -> Bool {
            SecretExposure.reaches(from: from, path: path, hasPassword: hasPassword, seed: "Alice")
        }
        #expect(reaches(Self.exposed(""), path: "//a") && reaches(Self.exposed("//a"), path: "//a/b"))
        #expect(reaches(Self.exposed("//a"), path: "//a", hasPassword: true))
        #expect(!reaches(Self.exposed("//a"), path: "//ab") && !reaches(Self.exposed("//a"), path: ""))
        #expect(!reaches(Self.exposed("//a", hasPassword: true), path: "//a"))
        #expect(!reaches(Self.exposed("//a", seed: "Bob"), path: "//a"))
        var kept = Self.exposed("//a")
        kept.secretExposed = false
        #expect(!reaches(kept, path: "//a"))
        // A mark that combines with the slash before it is one character with it, but begins a junction all the same.
        #expect(
            reaches(Self.exposed("//a"), path: "//a/\u{308}b") && reaches(Self.exposed("//é"), path: "//é//\u{301}"))
        // Two spellings of one letter are two keys.
        #expect(!reaches(Self.exposed("//\u{e9}"), path: "//e\u{301}"))
    }

    @Test("each published name is taken or refused", .enabled(if: SharedData.has(KnownRecords.folder)))
    func seedNames() throws {
        for known in try SharedData.json("signer-product/keys.json")["seedNames"].array {
            let name = try #require(known["name"].string)
            if known["valid"].bool == true {
                #expect(try SeedName.checked(name) == name)
            } else {
                #expect(throws: SignerError.self) { try SeedName.checked(name) }
            }
        }
    }

    @Test("a name loses the blanks around it and has a length")
    func nameRules() throws {
        #expect(try SeedName.checked(" Alice \n") == "Alice")
        #expect(try SeedName.checked(String(repeating: "x", count: 64)).count == 64)
        #expect(throws: SignerError.emptySeedName) { try SeedName.checked("\t \n") }
        for bad in ["a,b", "a\u{0}b", "a\r\nb", String(repeating: "x", count: 65), String(repeating: "😀", count: 64)] {
            #expect(throws: SignerError.seedNameInvalid) { try SeedName.checked(bad) }
        }
    }

    @Test("names are listed in the order of their bytes, and one spelt otherwise is taken")
    func nameOrder() throws {
        let place = try TestVault()
        let vault = try place.open()
        for name in ["e\u{301}", "f", "B", "a"] {
            try vault.createSeed(named: name, wordCount: 12) { _ in }
        }
        let byBytes = ["B", "a", "e\u{301}", "f"]
        #expect(try vault.seedNames().map { Array($0.utf8) } == byBytes.map { Array($0.utf8) })
        #expect(throws: SignerError.seedNameTaken(name: "\u{e9}")) {
            try vault.createSeed(named: "\u{e9}", wordCount: 12) { _ in }
        }
    }
}
