import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("The metadata hash in transactions without proof")
struct MetadataHashTests {
    /// Polkadot Asset Hub 2000000, as a reference model computed it from the metadata that the chain published.
    private static func known(_ specs: NetworkSpecs) throws -> Hash256 {
        let root = "e64494a194ca75ee6cc416394b9398700062bed9dd1d0d998a611d6ddc933337"
        let extrinsic = "dda27ae7fbebf6e94ac444fafe0948e6e82de1b0568af93736dfe095afafecb4"
        return MetadataDigest(
            typesTreeRoot: try #require(Hash256(Hex.decode(root) ?? [])),
            extrinsicMetadataHash: try #require(Hash256(Hex.decode(extrinsic) ?? [])),
            extraInfo: MetadataExtraInfo(
                specVersion: 2_000_000, specName: "statemint", base58Prefix: 0, decimals: specs.decimals,
                tokenSymbol: specs.unit)
        ).hash
    }

    @Test("a transaction with the hash of the stored metadata may be signed")
    func right() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let payload = try chain.payload(
            chain.transfer(to: Person.alice), Chain.Choices(metadataHash: Self.known(chain.specs)))
        // Again, with the tree from the first time.
        for _ in 0..<2 {
            let answer = try vault.process(payload)
            #expect(answer.requests.count == 1 && answer.risks.isEmpty && answer.cards.error.isEmpty)
        }
    }

    @Test("every bit of the hash counts, and the cards are shown with the error")
    func wrong() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        var bytes = try Self.known(chain.specs).bytes
        bytes[31] ^= 1
        let payload = try chain.payload(chain.transfer(), Chain.Choices(metadataHash: Hash256(bytes)))
        let answer = try vault.process(payload)
        #expect(answer.errorCode == "MetadataHashMismatch")
        #expect(answer.requests.isEmpty && !answer.cards.method.isEmpty && !answer.cards.extensions.isEmpty)
    }

    @Test("metadata that took the place of others of their version are those that count, read before or not")
    func replaced() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let payload = try chain.payload(
            chain.transfer(to: Person.alice), Chain.Choices(metadataHash: Self.known(chain.specs)))
        #expect(try vault.process(payload).requests.count == 1)
        var blob = chain.blob
        let name = try #require(blob.firstRange(of: Array("transfer_keep_alive".utf8)))
        blob[name.upperBound - 1] = UInt8(ascii: "f")
        let key = MetadataName(name: chain.specs.name, version: chain.runtime.specVersion)
        try vault.database.write { try $0.put(.metadata, key: key.scaleEncoded, value: blob) }
        let answer = try vault.process(payload)
        #expect(answer.errorCode == "MetadataHashMismatch" && answer.requests.isEmpty)
        #expect(answer.cards.method.contains { $0.line.contains("transfer_keep_alivf") })
    }

    @Test("metadata of another chain that are looked at under this one's name change nothing here")
    func foreign() throws {
        let chain = try Chain("statemint")
        let other = try RuntimeMetadata(Chain("polkadot").blob(version: chain.runtime.specVersion))
        let cache = MetadataCache()
        _ = try cache.metadata(chain.blob, name: chain.specs.name, version: chain.runtime.specVersion)
        let foreign = try cache.metadataHash(other, chain.specs)
        let own = try cache.metadataHash(chain.runtime, chain.specs)
        #expect(try own == Self.known(chain.specs) && foreign != own)
        #expect(try cache.metadataHash(chain.runtime, chain.specs) == own)
    }

    @Test("a record that shows other amounts or names than the chain has another hash")
    func changedRecord() throws {
        let chain = try Chain("statemint")
        let hash = try Self.known(chain.specs)
        var decimals = chain
        decimals.specs.decimals = 12
        var unit = chain
        unit.specs.unit = "KSM"
        for changed in [decimals, unit] {
            let payload = try changed.payload(changed.transfer(), Chain.Choices(metadataHash: hash))
            #expect(try changed.vault().process(payload).errorCode == "MetadataHashMismatch")
        }
    }
}
