import Airgap
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("Signing updates for other vaults")
struct PublishingTests {
    private static func makeVault() throws -> (TestVault, Vault, StoredKey) {
        let made = try TestVault()
        let vault = try made.withSeed()
        let key = try #require(try vault.keys().first { $0.details.path == "//kusama" })
        return (made, vault, key)
    }

    @Test("what this vault holds is signed, logged, and taken by a vault that trusts the key")
    func roundTrip() throws {
        let (_, vault, key) = try Self.makeVault()
        let kusama = try #require(try vault.networkList().first { $0.specs.name == "kusama" })
        let version = try #require(kusama.metadata.first).version
        var bundle = try NetworkBundle.shipped()
        bundle.networks.removeAll { $0.specs.name == "kusama" }
        bundle.generalVerifier = Verifier(key.signer)
        let other = try TestVault(bundle)
        let taking = try other.open()
        for published in [Vault.Published.network(kusama.specs.key), .metadata(name: "kusama", version: version)] {
            let content = try vault.content(of: published)
            let crypto = try vault.vouch(for: content, with: key.signer)
            #expect(crypto.vouches(for: content))
            #expect(try SufficientCrypto(scaleEncoded: crypto.scaleEncoded) == crypto)
            try taking.acceptUpdate(taking.propose(UpdatePayload.payload(content, vouchedBy: crypto)))
        }
        #expect(try taking.networkList().last?.trust == .general)
        #expect(try taking.networkList().last?.metadata == kusama.metadata)
        #expect(
            try vault.log().suffix(2).map { $0.entry.events.map(\.name) } == [
                ["NetworkSpecsSigned"], ["MetadataSigned"],
            ])
    }

    @Test("content that this vault would refuse is signed, and nothing of it is stored")
    func refusedHere() throws {
        let (_, vault, key) = try Self.makeVault()
        let kusama = try #require(try vault.networkList().first { $0.specs.name == "kusama" })
        var specs = kusama.specs
        specs.genesisHash = Hash256(unchecked: [UInt8](repeating: 9, count: 32))
        let networks = try vault.networkList()
        let crypto = try vault.vouch(for: .specs(specs), with: key.signer)
        #expect(crypto.vouches(for: .specs(specs)) && !crypto.vouches(for: .specs(kusama.specs)))
        #expect(try vault.networkList() == networks)
    }

    /// Compressed metadata that read as those of "nova", and whose signed bytes are a transaction of Polkadot 1001002
    /// with its hashes: `force_batch` of two calls that fail, and of one more batch that moves everything to Bob. The
    /// lengths in front are the numbers of pallet and call, and what follows the metadata is the call that counts.
    private static let disguised =
        "53ff8c1a040c00010328b52ffd8040060103003002006d6574610f00041853797374656d000000080461003400000000"
        + "00001a040800000501001c56657273696f6e004c106e6f76610000000000010000000000000000047a010c0002001020"
        + "f202082011030000000004000000000000000000000400003d010504008eaf04151687736326c9fea17e25fc52876136"
        + "93c912909cb226aa4794f26a48000000002a460f001900000091b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1e"
        + "b49219da7a70ce90c391b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"

    @Test("metadata that are a transaction as well are not signed, and its signature is nobody's word for them")
    func disguised() throws {
        let (_, made, key) = try Self.makeVault()
        var vault = made
        vault.metadataExpander = { _ in throw SignerError.nothingPending }
        let payload = try #require(Hex.decode(Self.disguised))
        guard case .update(let update) = try Payload(payload) else { throw SignerError.nothingPending }
        #expect(update.content.signedBytes == Array(payload[3...]) && update.content.signedBytes.count <= 256)
        let refusal = RefusedPayload.payload(.contentTooShort(.loadPackedMetadata, count: payload.count - 3))
        #expect(throws: refusal) { try vault.expanded(update.content) }
        #expect(throws: refusal) { try vault.vouch(for: update.content, with: key.signer) }
        #expect(vault.publishable(payload) == nil)
        #expect(try vault.log().last?.entry.events.contains { $0.name == "MetadataSigned" } != true)
        let pair = try VaultUpdatesTests.pair(1)
        let signature = try pair.sign(update.content.signedBytes)
        let crypto = try #require(SufficientCrypto(signer: pair.multiSigner, signature: signature))
        #expect(!crypto.vouches(for: update.content))
        #expect(throws: PayloadError.contentTooShort(.loadPackedMetadata, count: payload.count - 3)) {
            try Payload(UpdatePayload.payload(update.content, vouchedBy: crypto))
        }
    }

    @Test("types whose table could be the hash of a transaction are not signed")
    func hashed() throws {
        let (_, vault, key) = try Self.makeVault()
        let table = TypesTable(entries: [.init(name: "balance of all", description: .alias("u128 for whom?"))])
        let content = UpdatePayload.Content.types(table)
        #expect(content.signedBytes.count == 32)
        let refusal = RefusedPayload.payload(.contentTooShort(.loadTypes, count: 32))
        #expect(throws: refusal) { try vault.expanded(content) }
        #expect(throws: refusal) { try vault.vouch(for: content, with: key.signer) }
        #expect(vault.publishable(UpdatePayload.payload(content)) == nil)
        #expect(try vault.log().last?.entry.events.contains { $0.name == "TypesSigned" } != true)
    }

    @Test("metadata and types are signed from the first length on that chains take for no transaction's")
    func leastContent() throws {
        let genesis = Hash256(unchecked: [UInt8](repeating: 9, count: 32))
        for count in 240...270 {
            let blob = Array("meta".utf8) + [UInt8](repeating: 15, count: count - 4)
            let packed = try #require(PackedMetadata(byteCount: 70_000, frame: blob))
            for content: UpdatePayload.Content in [
                .metadata(blob, genesisHash: genesis), .packedMetadata(packed, genesisHash: genesis),
                .types(
                    TypesTable(
                        entries: [.init(name: String(repeating: "a", count: count - 9), description: .alias("u8"))])),
            ] {
                let isLong = content.signedBytes.count > 256
                #expect(((try? content.checkSignable()) != nil) == isLong)
            }
        }
    }

    @Test("a wrong password is logged and gives nothing; an unknown key is refused")
    func wrongPassword() throws {
        let (_, vault, _) = try Self.makeVault()
        let kusama = try #require(try vault.networkList().first { $0.specs.name == "kusama" })
        let key = try vault.deriveKey(
            seed: "demo", path: "//publisher", password: TestVault.secret("right"), network: kusama.specs)
        for password in [nil, try TestVault.secret("wrong")] {
            #expect(throws: SignerError.wrongKeyPassword) {
                try vault.vouch(for: .specs(kusama.specs), with: key.signer, password: password)
            }
            #expect(try vault.log().last?.entry.events == [.wrongPassword])
        }
        let crypto = try vault.vouch(for: .specs(kusama.specs), with: key.signer, password: TestVault.secret("right"))
        #expect(crypto.vouches(for: .specs(kusama.specs)))
        #expect(throws: SignerError.keyNotFound(String(repeating: "01", count: 32))) {
            try vault.vouch(for: .specs(kusama.specs), with: .sr25519([UInt8](repeating: 1, count: 32)))
        }
        #expect(throws: RefusedPayload.update(.metadataBroken(.notMeta))) {
            let nothing = [UInt8](repeating: 1, count: 300)
            return try vault.vouch(for: .metadata(nothing, genesisHash: kusama.specs.genesisHash), with: key.signer)
        }
    }
}
