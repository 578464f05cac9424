import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// A proof that is forged reads the signed bytes as a harmless transaction, and the chain as another.
@Suite("Forged metadata proofs")
struct ForgedProofTests {
    static let victim = Result {
        let chain = try Chain("statemint")
        return try ForgedProof.Victim(metadata: chain.runtime, network: chain.specs)
    }

    /// A transfer of 100 mDOT to the signer, says its proof; the chain empties the account.
    private static let forged = Hex.decode(
        """
        530106d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d20082461737365745f6875622c5275\
        6e74696d6543616c6c012042616c616e6365730400160400a000083c70616c6c65745f62616c616e6365731043616c6c014c\
        7472616e736665725f6b6565705f616c69766508011064657374160801504163636f756e7449644c6f6f6b75704f663c543e\
        011476616c7565130128543a3a42616c616e6365080404304d756c746941646472657373010849640400160800200804304d\
        756c746941646472657373010849640400160800000804304d756c7469416464726573730108496404001608002501080430\
        4d756c746941646472657373010849640400160c0008080c1c73705f636f72651863727970746f2c4163636f756e74496433\
        3200000c0003730000000310200700000008000000090000000a0000000b0000000c0000000d0000000e0000000004151600\
        152038436865636b4d6f7274616c697479151528436865636b4e6f6e63651115604368617267655472616e73616374696f6e\
        5061796d656e74131544436865636b4d6574616461746148617368151530436865636b47656e65736973151540436865636b\
        5370656356657273696f6e150538436865636b547856657273696f6e15055053746f726167655765696768745265636c6169\
        6d15161080841e002473746174656d696e7400000a0c444f54ac28020800004902d43593c715fdd31c61141abd04a99fd682\
        2c8558854ccde39a5684e7a56da27d02286bee15000400011111111111111111111111111111111111111111111111111111\
        111111111111014847d120315092a01c7672ad7f2797061ad6790372fc95b7e90cfa6dae7cc4c368d56f15f85d3136970ec1\
        6946040bc1752654e906147f7e43e9d539d7c3de2f80841e000f0000000a040090b5ab205c6974c9ea841be688864633dc9c\
        a8a357843eeacf2314649965fe220015000400000080841e000f00000068d56f15f85d3136970ec16946040bc1752654e906\
        147f7e43e9d539d7c3de2f11111111111111111111111111111111111111111111111111111111111111110068d56f15f85d\
        3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f
        """)

    private func random(_ state: UInt64, _ count: Int) -> ForgedProof.Script {
        var numbers = SplitMix64(state: state)
        return ForgedProof.Script((0..<count).map { _ in numbers.byte() })
    }

    private func payload(_ forged: ForgedProof, _ victim: ForgedProof.Victim, by author: [UInt8], code: UInt8)
        -> [UInt8]
    {
        [0x53, 0x01, code] + author + forged.body(genesis: victim.network.genesisHash)
    }

    @Test("what hides mode, hash, era and genesis in a remark is refused, and nothing that its proof says is shown")
    func blindSigning() throws {
        let answer = try Chain("statemint").vault().process(#require(Self.forged))
        #expect(answer.errorCode == "MetadataHashNotLast" && answer.requests.isEmpty)
        // Nor is the chain said to vouch for it.
        #expect(answer.metadata == nil)
        #expect(answer.effects == nil && answer.cards.method.isEmpty && answer.cards.extensions.isEmpty)
    }

    @Test("it is refused for a derived key too, and as the member of a bulk")
    func otherCodes() throws {
        let chain = try Chain("statemint")
        let test = try TestVault()
        let vault = try test.withSeed()
        _ = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: chain.specs)
        let forged = try #require(Self.forged)
        let derived = [0x53, 0x01, 0x07] + DerivationsPayload.root + Value.text("//Alice") + forged[35...]
        #expect(try vault.process(derived).errorCode == "MetadataHashNotLast")
        for member in [forged, derived] {
            let bulk = try vault.process(Chain.bulk([chain.payload(chain.transfer()), member]))
            #expect(bulk.requests.isEmpty && bulk.refusedMember == 1 && bulk.errorCode == "MetadataHashNotLast")
        }
    }

    @Test("what a proof shows is what true metadata show, or it is refused, whatever a wallet makes up")
    func property() throws {
        let victim = try Self.victim.get()
        var (accepted, thefts) = (0, 0)
        for seed in 0..<4000 as Range<UInt64> {
            let forged = try ForgedProof(random(seed, 8), against: victim)
            let proof = try MetadataProof(forged.proof)
            let decoded = ProofTransactionDecoder(proof: proof, network: victim.network).decode(
                forged.signable, call: 0..<forged.callLength,
                extensions: forged.callLength..<forged.signable.count, genesis: victim.network.genesisHash)
            #expect(!victim.isDeceived(by: decoded, signable: forged.signable), "script \(seed)")
            if decoded.error == nil {
                accepted += 1
            } else if decoded.error == .metadataHashNotLast, victim.reading(of: forged.signable) != nil {
                // All that a proof's own word can be checked by holds: only the rule about the end keeps it from being
                // signed.
                thefts += 1
            }
        }
        #expect(accepted > 20 && thefts > 50, "\(accepted) \(thefts)")
    }

    @Test("a true proof is taken, and the chain reads the same cards")
    func truth() throws {
        let chain = try Chain("statemint")
        let victim = try Self.victim.get()
        let tree = try MerkleizedMetadata(chain.runtime)
        let extensions = chain.extensions(Chain.Choices(isImmortal: true, metadataHash: victim.hash))
        let calls = try [chain.transfer(), chain.remark("a text"), chain.batch([chain.transfer(), chain.remark("")])]
        for call in calls {
            let proof = try MetadataProof(
                tree.proof(call: call, extensions: extensions, extraInfo: MetadataExtraInfo(chain.runtime, chain.specs))
            )
            let decoded = ProofTransactionDecoder(proof: proof, network: chain.specs).decode(
                call + extensions, call: 0..<call.count, extensions: call.count..<(call + extensions).count,
                genesis: chain.specs.genesisHash)
            let truth = try #require(victim.reading(of: call + extensions))
            #expect(decoded.error == nil && decoded.method?.cards.map(\.line) == truth.call.cards.map(\.line))
        }
    }

    // MARK: Beside stored metadata

    /// Metadata of the same version in which two methods have changed names.
    private func otherMetadata(_ chain: Chain) throws -> Chain {
        let names = ("transfer_keep_alive", "transfer_keep_ALIVE")
        var blob = chain.blob
        let place = try #require(blob.firstRange(of: Array(names.0.utf8)))
        blob.replaceSubrange(place, with: Array(names.1.utf8))
        return try Chain(specs: chain.specs, blob: blob)
    }

    private func proven(_ chain: Chain, shown: Chain) throws -> [UInt8] {
        let tree = try MerkleizedMetadata(shown.runtime)
        let info = MetadataExtraInfo(shown.runtime, shown.specs)
        let choices = Chain.Choices(metadataHash: tree.digest(info).hash)
        let call = try chain.transfer()
        let proof = try tree.proof(call: call, extensions: chain.extensions(choices), extraInfo: info)
        return [0x53, 0x01, 0x06] + Person.alice + proof + chain.body(call, choices)
    }

    @Test("a proof of other metadata than those that are stored for the version is refused, and both hashes are named")
    func differs() throws {
        let chain = try Chain("statemint")
        let other = try otherMetadata(chain)
        for (stored, shown) in [(chain, other), (other, chain)] {
            let answer = try stored.vault().process(proven(chain, shown: shown))
            #expect(answer.errorCode == "ProofDiffersFromStored" && answer.requests.isEmpty)
            #expect(answer.effects == nil && answer.cards.method.isEmpty)
            let hash = try MerkleizedMetadata(stored.runtime).digest(MetadataExtraInfo(stored.runtime, stored.specs))
                .hash
            #expect(answer.cards.error.first?.line.contains(hash.hex) == true)
        }
        #expect(try chain.vault().process(proven(chain, shown: chain)).requests.count == 1)
        // Of another version nothing is stored: then the hash that the chain compares is what there is.
        let newer = try Chain(specs: chain.specs, blob: chain.blob(version: chain.runtime.specVersion + 1))
        #expect(try chain.vault().process(proven(newer, shown: newer)).requests.count == 1)
    }
}
