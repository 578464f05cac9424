import SecretMemory
import Substrate
import TestSupport
import Testing

@Suite("Which addresses a phrase gives in which wallet")
struct PhrasePreviewTests {
    private static func preview(_ phrase: String = MnemonicTests.development) throws -> PhrasePreview {
        try PhrasePreview(Mnemonic(phrase: secret(phrase)), password: nil)
    }

    /// The addresses of one scheme, with their paths.
    private static func addresses(_ rows: [PhrasePreview.Row], _ scheme: WalletScheme) -> [String] {
        rows.filter { $0.scheme == scheme }.map { row in
            switch row.key {
            case .success(let key): "\(row.path) \(key.address)"
            case .failure(let error): "\(row.path) \(error)"
            }
        }
    }

    @Test("every scheme has a row, with the addresses that its wallets show")
    func allSchemes() throws {
        let paths = try [PhrasePreview.Path(parsing: ""), .init(parsing: "//Alice"), .init(parsing: "//polkadot")]
        let rows = try Self.preview().rows(paths: paths, accounts: 2, prefix: nil)
        #expect(Set(rows.map(\.scheme)) == Set(WalletScheme.allCases))
        #expect(Self.addresses(rows, .sr25519)[1] == "//Alice 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(Self.addresses(rows, .ed25519)[1] == "//Alice 5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu")
        #expect(Self.addresses(rows, .ecdsa)[1] == "//Alice 5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X")
        #expect(
            Self.addresses(rows, .ethereum)[2].lowercased() == "//polkadot 0xe9267b732a8e9c9444e46f3d04d4610a996d682d")
        #expect(
            Self.addresses(rows, .ethereumBIP44) == [
                "m/44'/60'/0'/0/0 0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac",
                "m/44'/60'/0'/0/1 0x3Cd0A705a2DC65e5b1E1205896BaA2be8A07c6e0",
            ])
        let vault = try #require(rows.first { $0.scheme == .ecdsaVault && $0.path == "//Alice" })
        let key = try vault.key.get()
        #expect(try SS58.decode(key.address).payload == key.publicKey)
    }

    @Test("a Ledger's addresses are written for its app's network, unless a prefix is asked for")
    func ledger() throws {
        let preview = try Self.preview(MnemonicTests.zeros)
        let rows = try preview.rows(paths: [], accounts: 1, prefix: nil)
        #expect(
            Self.addresses(rows, .ledgerPolkadot) == [
                "m/44'/354'/0'/0'/0' 12aRjLzT5ycoWGHwoHLoXxd5QBa6bxuqivMQSGsPonzd9MWa"
            ])
        #expect(
            Self.addresses(rows, .ledgerKusama) == [
                "m/44'/434'/0'/0'/0' GpTCo8cccWnpFne7EKBwr677tWkEoeLbiAgks76fKisCUWP"
            ])
        for row in try preview.rows(paths: [], accounts: 1, prefix: 7) {
            let address = try row.key.get().address
            if !address.hasPrefix("0x") { #expect(try SS58.decode(address).prefix == 7) }
        }
    }

    @Test("a path of BIP-32 belongs to the scheme of its coin and takes the place of the counted accounts")
    func bip32Paths() throws {
        let paths = try ["m/44'/434'/5'/0'/7", "m/44'/1284'/0'/0/0"].map { try PhrasePreview.Path(parsing: $0) }
        let rows = try Self.preview(MnemonicTests.zeros).rows(paths: paths, accounts: 2, prefix: nil)
        #expect(
            Self.addresses(rows, .ledgerKusama) == [
                "m/44'/434'/5'/0'/7' HATTuVczXXEKzjBKaL6Npdu9LwV9Kd5qi6TPAAnxQQLy5e2"
            ])
        #expect(rows.filter { $0.scheme == .ledgerPolkadot }.count == 2)
        #expect(rows.filter { $0.scheme == .ethereumBIP44 }.map(\.path) == ["m/44'/1284'/0'/0/0"])
        #expect(rows.filter { $0.scheme == .sr25519 }.map(\.path) == [""])
    }

    @Test("a soft junction gives sr25519 an address and the other schemes their reason")
    func softJunction() throws {
        let rows = try Self.preview().rows(paths: [PhrasePreview.Path(parsing: "//a/b")], accounts: 0, prefix: nil)
        for row in rows {
            if row.scheme == .sr25519 {
                #expect((try? row.key.get()) != nil)
            } else {
                #expect(throws: KeyError.softKeyInPath) { try row.key.get() }
            }
        }
    }

    @Test("the password reaches junctions and wallets alike")
    func password() throws {
        let mnemonic = try Mnemonic(phrase: secret(MnemonicTests.development))
        let rows = try PhrasePreview(mnemonic, password: secret("pass")).rows(paths: [], accounts: 1, prefix: nil)
        #expect(
            Self.addresses(rows, .ethereumBIP44) == ["m/44'/60'/0'/0/0 0xAC9Dfa4e2cB8248de96e0F06cddB045d9339B832"])
        let expected = try KeyPair.derive(from: mnemonic, path: .root, password: secret("pass"), scheme: .sr25519)
        let root = try #require(rows.first { $0.scheme == .sr25519 })
        #expect(try root.key.get().publicKey == expected.publicKey)
    }

    @Test("the number of accounts is bounded, and a prefix that SS58 cannot write is refused")
    func bounds() throws {
        let preview = try Self.preview()
        for (accounts, count) in [(-1, 0), (0, 0), (1_000_000, PhrasePreview.accountLimit)] {
            let rows = try preview.rows(paths: [], accounts: accounts, prefix: nil)
            #expect(rows.count { $0.scheme == .ledgerPolkadot } == count)
        }
        #expect(throws: SS58Error.prefixOutOfRange(16384)) {
            try preview.rows(paths: [], accounts: 1, prefix: 16384)
        }
    }

    @Test("malformed paths are refused with the error of their kind")
    func malformedPaths() {
        #expect(throws: SURIError.invalidBIP32Path(.missingIndex(offset: 2))) { try PhrasePreview.Path(parsing: "m/") }
        #expect(throws: SURIError.invalidBIP32Path(.missingRoot)) { try PhrasePreview.Path(parsing: "mine") }
        #expect(throws: SURIError.pathWithoutSlash) { try PhrasePreview.Path(parsing: "x") }
        #expect(throws: SURIError.passwordInPath) { try PhrasePreview.Path(parsing: "//a///b") }
    }
}

@Suite("A phrase while it is typed")
struct PhraseProgressTests {
    @Test(
        "known words are counted, the first unknown one is named by its place",
        arguments: [
            ("", 0, nil, false), ("bot", 0, nil, true), ("bottom", 1, nil, false), ("bottom ", 1, nil, false),
            ("bottom dri", 1, nil, true), ("bottom dri ", 1, 1, false), ("bottom drix", 1, 1, false),
            ("Bottom drive", 0, 0, false), ("xx bottom drive", 0, 0, false), ("bottom  drive obey", 3, nil, false),
            // Both a word and the beginning of others.
            ("act", 1, nil, false),
        ] as [(String, Int, Int?, Bool)])
    func progress(text: String, known: Int, unknown: Int?, isWithinWord: Bool) throws {
        let progress = PhraseProgress(of: try secret(text))
        #expect(progress.knownWords == known)
        #expect(progress.unknownWord == unknown)
        #expect(progress.isWithinWord == isWithinWord)
    }
}
