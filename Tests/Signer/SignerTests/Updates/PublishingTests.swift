import Airgap
import Substrate
import Testing

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
            try vault.vouch(for: .metadata([1, 2, 3], genesisHash: kusama.specs.genesisHash), with: key.signer)
        }
    }
}
