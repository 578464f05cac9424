import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Keys of Ledger devices")
struct LedgerKeyTests {
    static func seed(_ phrase: String) throws -> SecretBytes {
        try Mnemonic(phrase: secret(phrase)).standardSeed(passphrase: nil)
    }

    @Test(
        "known addresses of Polkadot and Kusama",
        arguments: [
            ("m/44'/354'/0'/0'/0'", "12aRjLzT5ycoWGHwoHLoXxd5QBa6bxuqivMQSGsPonzd9MWa"),
            ("m/44'/354'/5'/0'/7'", "1R2k5YVnb7Dwst8zSacGQ2pePnKs6vHZoZoKMZsBjxmNeqo"),
            ("m/44'/434'/0'/0'/0'", "GpTCo8cccWnpFne7EKBwr677tWkEoeLbiAgks76fKisCUWP"),
            ("m/44'/434'/5'/0'/7'", "HATTuVczXXEKzjBKaL6Npdu9LwV9Kd5qi6TPAAnxQQLy5e2"),
        ])
    func addresses(path: String, address: String) throws {
        let pair = try KeyPair.ledger(seed: Self.seed(MnemonicTests.zeros), path: BIP32Path(parsing: path))
        #expect(try pair.multiSigner.ss58(prefix: SS58.decode(address).prefix) == address)
        #expect(pair.scheme == .ed25519)
    }

    @Test("the exported root and the seed behind a path")
    func root() throws {
        let root = try LedgerKey(seed: Self.seed(MnemonicTests.zeros))
        let expected =
            "402b03cd9c8bed9ba9f9bd6cd9c315ce9fcc59c7c25d37c85a36096617e69d41"
            + "8e35cb4a3b737afd007f0688618f21a8831643c0e6c77fc33c06026d2a0fc938"
            + "32596435e70647d7d98ef102a32ea40319ca8fb6c851d7346d3bd8f9d1492658"
        #expect(Hex.encode(try root.exported().revealed) == expected)
        let child = try root.derive(BIP32Path(parsing: "m/44'/354'/0'/0'/0'"))
        #expect(
            Hex.encode(child.ed25519Seed.revealed)
                == "e8c68348586d53e4e8d1a864b0e4e17c75e4eb06e0c63c1432bef2ba29e69d41")
    }

    @Test("every step is hardened, however the path writes it")
    func hardened() throws {
        let seed = try Self.seed(MnemonicTests.development)
        let marked = try KeyPair.ledger(seed: seed, path: BIP32Path(parsing: "m/44'/354'/1'/0'/0'"))
        let plain = try KeyPair.ledger(seed: seed, path: BIP32Path(parsing: "m/44/354/1/0/0"))
        #expect(marked.publicKey == plain.publicKey)
    }

    @Test("a seed of another length than a phrase gives is refused", arguments: [0, 32, 63, 65])
    func seedLength(count: Int) throws {
        let seed = try SecretBytes(count: count) { _ in }
        #expect(throws: KeyError.invalidSecretKey) { try LedgerKey(seed: seed) }
    }
}
