import Airgap
import SecretMemory
import Substrate
import Synchronization
import Testing

@testable import Signer

/// Compressed metadata through a whole vault. What expands them is made up here; the worker has tests of its own.
@Suite("Compressed metadata")
struct PackedMetadataTests {
    private struct Made {
        var vault: Vault
        var network: NetworkBundle.Network
        var content: UpdatePayload.Content
    }

    /// Counts what it is asked.
    private final class Expander: Sendable {
        let asked = Mutex(0)
        let answer: [UInt8]

        init(_ answer: [UInt8]) { self.answer = answer }

        func expand(_: PackedMetadata) throws -> [UInt8] {
            asked.withLock { $0 += 1 }
            return answer
        }
    }

    /// A vault that has the network's record, and not its metadata.
    private static func make(_ name: String = "westend", signedBy pair: KeyPair) throws -> Made {
        var bundle = try NetworkBundle.shipped()
        let index = try #require(bundle.networks.firstIndex { $0.specs.name == name })
        let network = bundle.networks.remove(at: index)
        bundle.generalVerifier = Verifier(pair.multiSigner)
        let vault = try TestVault(bundle).withSeed()
        try VaultUpdatesTests.take(.specs(network.specs), by: pair, in: vault)
        let packed = try #require(
            PackedMetadata(byteCount: network.metadata[0].count, frame: [UInt8](repeating: 1, count: 300)))
        return Made(
            vault: vault, network: network,
            content: .packedMetadata(packed, genesisHash: network.specs.genesisHash))
    }

    @Test("they are taken in by the verifier's word, as uncompressed ones are, and stored expanded")
    func takenIn() throws {
        let general = try VaultUpdatesTests.pair(1)
        var made = try Self.make(signedBy: general)
        let expander = Expander(made.network.metadata[0])
        made.vault.metadataExpander = { try expander.expand($0) }
        for stranger in [nil, try VaultUpdatesTests.pair(5)] {
            let code = VaultUpdatesTests.refusal(made.content, by: stranger, in: made.vault)
            let plain = UpdatePayload.Content.metadata(
                made.network.metadata[0], genesisHash: made.network.specs.genesisHash)
            #expect(code != nil && code == VaultUpdatesTests.refusal(plain, by: stranger, in: made.vault))
        }
        let preview = try VaultUpdatesTests.take(made.content, by: general, in: made.vault)
        #expect(preview.isPacked && preview.voucher == .general(general.multiSigner))
        guard case .metadata(let facts) = preview.content else { throw SignerError.nothingPending }
        #expect(try made.vault.metadataVersions(of: made.network.specs) == [facts.version])
        #expect(VaultUpdatesTests.refusal(made.content, by: general, in: made.vault) == "MetadataKnown")
    }

    @Test("what is written while they are expanded stops what was shown by the state before")
    func writtenMeanwhile() throws {
        let general = try VaultUpdatesTests.pair(1)
        var made = try Self.make(signedBy: general)
        let blob = made.network.metadata[0]
        let same = made.vault
        made.vault.metadataExpander = { _ in
            try same.addComment("meanwhile")
            return blob
        }
        let proposal = try made.vault.propose(VaultUpdatesTests.payload(made.content, by: general))
        #expect(throws: SignerError.checksumMismatch) { try made.vault.acceptUpdate(proposal) }
        #expect(try made.vault.metadataVersions(of: made.network.specs).isEmpty)
    }

    @Test("where nothing expands them they are refused by name, and nothing is written")
    func noExpander() throws {
        let general = try VaultUpdatesTests.pair(1)
        let made = try Self.make(signedBy: general)
        #expect(VaultUpdatesTests.refusal(made.content, by: general, in: made.vault) == "MetadataNotExpanded")
    }

    @Test("a signature that does not hold is noticed before anything is expanded")
    func badSignature() throws {
        let general = try VaultUpdatesTests.pair(1)
        var made = try Self.make(signedBy: general)
        let expander = Expander(made.network.metadata[0])
        made.vault.metadataExpander = { try expander.expand($0) }
        var payload = try VaultUpdatesTests.payload(made.content, by: general)
        // Each byte of the content: its lengths, the frame, the genesis.
        for position in 3 + 32..<payload.count {
            payload[position] ^= 1
            #expect(throws: RefusedPayload.self) { try made.vault.propose(payload) }
            payload[position] ^= 1
        }
        #expect(expander.asked.withLock { $0 } == 0)
        _ = try made.vault.propose(payload)
        #expect(expander.asked.withLock { $0 } == 1)
    }

    @Test("what comes out and is not what was signed, or no metadata, is refused by name")
    func damaged() throws {
        let general = try VaultUpdatesTests.pair(1)
        var made = try Self.make(signedBy: general)
        let blob = made.network.metadata[0]
        for (answer, code) in [
            (blob + [0], "PackedMetadataDamaged"), ([], "PackedMetadataDamaged"),
            ([0] + blob.dropFirst(), "MetadataBroken"),
        ] {
            made.vault.metadataExpander = { _ in answer }
            let found = VaultUpdatesTests.refusal(made.content, by: general, in: made.vault)
            #expect(found == code || code == "MetadataBroken" && found != nil, "\(found ?? "")")
        }
    }

    @Test("where the chain checks a metadata hash it is shown, equal to that of the full metadata")
    func chainHash() throws {
        let general = try VaultUpdatesTests.pair(1)
        for name in ["polkadot", "westend"] {
            var made = try Self.make(name, signedBy: general)
            let blob = made.network.metadata[0]
            made.vault.metadataExpander = { _ in blob }
            let answer = try made.vault.process(VaultUpdatesTests.payload(made.content, by: general))
            guard case .update(let preview) = answer.action, case .metadata(let facts) = preview.content else {
                throw SignerError.nothingPending
            }
            let metadata = try RuntimeMetadata(blob)
            let checks =
                metadata.formatVersion >= 15 && metadata.extensions.contains { $0.identifier == "CheckMetadataHash" }
            let hash = try MerkleizedMetadata(metadata).digest(MetadataExtraInfo(metadata, made.network.specs)).hash
            #expect(facts.chainHash == (checks ? hash : nil), "\(name)")
        }
    }

    @Test("they are signed for other vaults as they travel")
    func published() throws {
        let general = try VaultUpdatesTests.pair(1)
        var made = try Self.make(signedBy: general)
        let blob = made.network.metadata[0]
        let signer = try #require(try made.vault.keys().first { $0.details.path.isEmpty }).signer
        #expect(throws: RefusedPayload.metadataNotExpanded) { try made.vault.vouch(for: made.content, with: signer) }
        made.vault.metadataExpander = { _ in blob }
        let crypto = try made.vault.vouch(for: made.content, with: signer)
        guard case .update(let update) = try Payload(UpdatePayload.payload(made.content, vouchedBy: crypto)) else {
            throw SignerError.nothingPending
        }
        #expect(update.signer == signer && update.content == made.content)
    }
}
