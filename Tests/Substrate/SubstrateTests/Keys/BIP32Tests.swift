import SecretMemory
import Substrate
import TestSupport
import Testing

@Suite("Keys of BIP-32 and their paths")
struct BIP32Tests {
    static func seed(passphrase: String? = nil) throws -> SecretBytes {
        let mnemonic = try Mnemonic(phrase: secret(MnemonicTests.development))
        return try mnemonic.standardSeed(passphrase: passphrase.map { try secret($0) })
    }

    static func address(_ pair: KeyPair) -> String? {
        pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed)
    }

    /// Chain code and secret, as an extended key writes them.
    private static func exported(_ key: BIP32Key) -> [UInt8] {
        key.chainCode.revealed + [0] + key.secret.revealed
    }

    @Test(
        "the first test vector of BIP-32",
        arguments: [
            (
                nil,
                "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqji"
                    + "ChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
            ),
            (
                "m/0'/1",
                "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSx"
                    + "qu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs"
            ),
        ])
    func firstVector(path: String?, extendedKey: String) throws {
        let root = try BIP32Key(seed: SecretBytes(count: 16) { for index in 0..<16 { $0[index] = UInt8(index) } })
        let key = try path.map { try root.derive(BIP32Path(parsing: $0)) } ?? root
        // Version, depth, fingerprint and number: 13 bytes; behind the key a check sum of 4.
        let bytes = try #require(Base58.decode(extendedKey))
        #expect(Self.exported(key) == Array(bytes.dropFirst(13).dropLast(4)))
    }

    @Test(
        "the development phrase has the addresses that Ethereum wallets give it",
        arguments: [
            ("m/44'/60'/0'/0/0", nil, "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac"),
            ("m/44'/60'/0'/0/0", "pass", "0xAC9Dfa4e2cB8248de96e0F06cddB045d9339B832"),
            ("m/44'/60'/0'/0/1", nil, "0x3Cd0A705a2DC65e5b1E1205896BaA2be8A07c6e0"),
            ("m/44'/60'/1'/0/7", nil, "0x411BBBc91DdFc2671d764Eca0aa5336b14b8D6DE"),
            ("m/44'/1284'/0'/0/0", nil, "0x1330640771E7Fd9BeDb5c6E07E5d35176B7894d0"),
        ])
    func ethereum(path: String, passphrase: String?, address: String) throws {
        let pair = try KeyPair.ethereumBIP44(
            seed: Self.seed(passphrase: passphrase), path: BIP32Path(parsing: path))
        #expect(Self.address(pair) == address)
        #expect(pair.scheme == .ethereum)
    }

    @Test("a seed of a length that no phrase has is refused", arguments: [0, 15, 65])
    func seedLength(count: Int) throws {
        let seed = try SecretBytes(count: count) { _ in }
        #expect(throws: KeyError.invalidSecretKey) { try BIP32Key(seed: seed) }
    }

    // MARK: Paths

    @Test("paths are read and written alike", arguments: ["m/0", "m/44'/60'/0'/0/0", "m/2147483647'/2147483647"])
    func paths(text: String) throws {
        #expect("\(try BIP32Path(parsing: text))" == text)
    }

    @Test("the paths of wallets")
    func walletPaths() {
        #expect("\(BIP32Path.ethereum(account: 2))" == "m/44'/60'/0'/0/2")
        #expect("\(BIP32Path.ledger(coin: 354, account: 1, index: 3))" == "m/44'/354'/1'/0'/3'")
        #expect(BIP32Path.ledger(coin: 434, account: 0).coin == 434)
        #expect("\(BIP32Path.ethereum(account: 2).hardened)" == "m/44'/60'/0'/0'/2'")
    }

    @Test(
        "a path that is none is refused, and where",
        arguments: [
            ("", BIP32PathError.missingRoot), ("m", .missingRoot), ("M/0", .missingRoot), ("/m/0", .missingRoot),
            ("m/", .missingIndex(offset: 2)), ("m//0", .missingIndex(offset: 2)), ("m/0/", .missingIndex(offset: 4)),
            ("m/'", .missingIndex(offset: 2)), ("m/-1", .missingIndex(offset: 2)), ("m/+1", .missingIndex(offset: 2)),
            ("m/٣", .missingIndex(offset: 2)),
            ("m/0''", .unexpectedCharacter(offset: 4)), ("m/0h", .unexpectedCharacter(offset: 3)),
            ("m/0 ", .unexpectedCharacter(offset: 3)), ("m/1/2'3", .unexpectedCharacter(offset: 6)),
            ("m/2147483648", .indexTooLarge(offset: 2)),
            ("m/0/99999999999999999999999999", .indexTooLarge(offset: 4)),
            ("m" + String(repeating: "/0", count: 256), .tooManySteps(limit: 255)),
        ])
    func refusals(text: String, error: BIP32PathError) {
        #expect(throws: error) { try BIP32Path(parsing: text) }
    }

    @Test("random text is a path or a typed error, and a path reads back")
    func randomText() throws {
        let alphabet = Array("m/0129'é ")
        var generator = SplitMix64(state: 107)
        for _ in 0..<20_000 {
            let text =
                "m/"
                + String(
                    (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? "m"
                    })
            do throws(BIP32PathError) {
                let path = try BIP32Path(parsing: text)
                #expect(try BIP32Path(parsing: path.description) == path)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    // MARK: Secret URIs

    @Test("a secret URI names an Ethereum key by phrase, path and passphrase")
    func uri() throws {
        let uri = try SecretURI(parsing: secret(MnemonicTests.development + "/m/44'/60'/0'/0/0///pass"))
        let pair = try KeyPair.ethereumBIP44(seed: uri.standardSeed(), path: uri.bip32Path())
        #expect(Self.address(pair) == "0xAC9Dfa4e2cB8248de96e0F06cddB045d9339B832")
    }

    @Test("without a path a secret URI names the first account")
    func uriWithoutPath() throws {
        let uri = try SecretURI(parsing: secret(MnemonicTests.development))
        #expect("\(try uri.bip32Path())" == "m/44'/60'/0'/0/0")
    }

    @Test("junctions are no path of BIP-32, and in other schemes /m is a junction")
    func uriWithJunctions() throws {
        for path in ["//m/44'", "/44'", "//polkadot"] {
            let uri = try SecretURI(parsing: secret(MnemonicTests.development + path))
            #expect(throws: BIP32PathError.missingRoot) { try uri.bip32Path() }
        }
        let uri = try SecretURI(parsing: secret(MnemonicTests.development + "/m/44'"))
        #expect(uri.path.junctions.map(\.kind) == [.soft, .soft])
        #expect(throws: KeyError.softKeyInPath) {
            try KeyPair(scheme: .ethereum, miniSecret: uri.miniSecret()).derive(uri.path)
        }
    }

    @Test("no phrase and a seed in hex give no standard seed")
    func uriWithoutPhrase() throws {
        let path = "/m/44'/60'/0'/0/0"
        let missing = try SecretURI(parsing: secret(path))
        #expect(throws: SURIError.invalidPhrase(.badWordCount(0))) { try missing.standardSeed() }
        let hex = try SecretURI(parsing: secret("0x" + String(repeating: "1", count: 64) + path))
        #expect(throws: SURIError.invalidPhrase(.badWordCount(1))) { try hex.standardSeed() }
    }
}
