import Airgap
import SCALE
import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import Signer

/// Updates whose bytes are cut, repeated, or lead in circles: refused by name or shown, and never written by looking.
@Suite("Updates with hostile content")
struct HostileContentTests {
    private static let specs = NetworkSpecs(
        base58Prefix: 42, color: "#000", decimals: 12, scheme: .sr25519,
        genesisHash: Hash256(unchecked: [UInt8](repeating: 7, count: 32)), logo: "", name: "orion", pathID: "//orion",
        secondaryColor: "", title: "Orion", unit: "ORI")

    private static let types = TypesTable(
        entries: TypesTable.signable().entries + [
            .init(name: "Weight", description: .alias("u64")), .init(name: "Index", description: .alias("u32")),
        ])

    private static func vault(_ change: (inout NetworkBundle) -> Void = { _ in }) throws -> Vault {
        var bundle = try NetworkBundle.shipped()
        bundle.generalVerifier = .none
        change(&bundle)
        return try Vault.lookOnly(bundle)
    }

    /// - Returns: the code, or nil where something waits for a yes.
    private static func refusal(_ payload: [UInt8], in vault: Vault) throws -> String? {
        let (before, entries) = (try vault.state(), try vault.log().count)
        do {
            _ = try vault.propose(payload)
            #expect(try vault.state() == before)
            try vault.dropPending()
            return nil
        } catch let refused as RefusedPayload {
            #expect(try vault.state() == before && vault.log().count == entries && vault.pendingPayload() == nil)
            return refused.code
        }
    }

    @Test("an update that ends at any of its bytes is refused by name")
    func cut() throws {
        let vault = try Self.vault()
        let signer = try VaultUpdatesTests.pair(1)
        for content in [UpdatePayload.Content.specs(Self.specs), .types(Self.types)] {
            for pair in [nil, signer] {
                let payload = try VaultUpdatesTests.payload(content, by: pair)
                for count in payload.indices {
                    let code = try #require(try Self.refusal(Array(payload[..<count]), in: vault), "\(count) bytes")
                    #expect(["TooShort", "DataTooShort", "NoCompact", "Codec"].contains(code), "\(count) bytes")
                }
                #expect(try Self.refusal(payload, in: vault) == nil)
            }
        }
    }

    @Test("metadata that end at any byte are refused by name, whatever length is stated")
    func cutMetadata() throws {
        let westend = try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        let vault = try Self.vault { $0.removeMetadata() }
        let (blob, genesis) = (westend.metadata[0], westend.specs.genesisHash)
        // All of the head and of the tail, and steps of a prime number in between.
        let ends =
            Array(0..<64) + Array(stride(from: 64, to: blob.count - 64, by: 4099)) + Array(blob.count - 64..<blob.count)
        for end in ends {
            let payload = UpdatePayload.payload(.metadata(Array(blob[..<end]), genesisHash: genesis))
            let code = try #require(try Self.refusal(payload, in: vault), "\(end) bytes")
            #expect(["NotMeta", "VersionIncompatible", "UnableToDecode"].contains(code), "\(end) bytes: \(code)")
        }
    }

    @Test("of two thousand networks in one update none is taken, or the one that is shown and signed")
    func manyInOne() throws {
        let vault = try Self.vault()
        var records: [UInt8] = []
        for number in 0..<2_000 {
            var specs = Self.specs
            specs.genesisHash = Hash256(unchecked: [UInt8](repeating: UInt8(number % 251), count: 32))
            records += specs.scaleEncoded
        }
        var inside = ScaleEncoder()
        inside.raw([0x53, 0xff, 0xc1])
        inside.byteSequence(records)
        #expect(try Self.refusal(inside.bytes, in: vault) == "Codec")

        // Behind the content stands what is reserved: it is nobody's word, and nothing of it is read.
        let behind = UpdatePayload.payload(.specs(Self.specs)) + records
        let proposal = try vault.propose(behind)
        let count = try vault.networks().count
        try vault.acceptUpdate(proposal)
        #expect(try vault.networks().count == count + 1 && vault.networks().last == Self.specs)

        var bulk = ScaleEncoder()
        bulk.raw([0x53, 0xff, 0x04, 0])
        bulk.sequence(Array(0..<2_000)) { encoder, _ in
            encoder.byteSequence(Array(UpdatePayload.payload(.specs(Self.specs)).dropFirst()))
        }
        let code = try #require(try Self.refusal(bulk.bytes, in: vault))
        #expect(["PayloadNotSupported", "PayloadTooLarge", "Codec"].contains(code), "\(code)")
    }

    @Test("types that are doubled, or have names without end, are refused by name, from whomever they come")
    func doubledTypes() throws {
        let signer = try VaultUpdatesTests.pair(1)
        let long = String(repeating: "a", count: 1 << 20)
        let tables = [
            TypesTable(entries: Self.types.entries + [.init(name: "Weight", description: .alias("u128"))]),
            TypesTable(entries: [.init(name: long, description: .alias("u8"))]),
        ]
        for table in tables {
            for pair in [nil, signer] {
                let payload = try VaultUpdatesTests.payload(.types(table), by: pair)
                #expect(try Self.refusal(payload, in: Self.vault()) == "TypesMalformed")
            }
        }
        #expect(try Self.refusal(UpdatePayload.payload(.types(Self.types)), in: Self.vault()) == nil)
    }

    @Test("metadata whose types hold themselves without end load or not, and what they describe is never signed")
    func endlessTypes() throws {
        let westend = try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        let blob = try Self.holdingItself("ValidatorPrefs", field: "commission", in: westend.metadata[0])
        let vault = try Self.vault { $0.removeMetadata() }
        let payload = UpdatePayload.payload(.metadata(blob, genesisHash: westend.specs.genesisHash))
        #expect(try Self.refusal(payload, in: vault) == nil)

        // The same through what a worker expands, of which the chain's own hash is made.
        let packed = try #require(PackedMetadata(byteCount: blob.count, frame: [1, 2, 3]))
        var expanding = vault
        expanding.metadataExpander = { _ in blob }
        let compressed = UpdatePayload.payload(.packedMetadata(packed, genesisHash: westend.specs.genesisHash))
        #expect(try Self.refusal(compressed, in: expanding) == nil)

        let chain = try Chain(specs: westend.specs, blob: blob)
        let call = try chain.call("Staking", method: "validate", arguments: [UInt8](repeating: 0, count: 64))
        let answer = try chain.vault().process(chain.payload(call))
        #expect(answer.isReadOnly && answer.errorCode == "TooDeep", "\(answer.errorCode ?? "")")
    }

    /// Metadata in which the first field of a type has the type itself.
    private static func holdingItself(_ name: String, field: String, in blob: [UInt8]) throws -> [UInt8] {
        let text = Value.text(name)
        let path = try #require(blob.firstRange(of: text))
        // Before the path stands the type's id, then how many parts the path has: here two.
        let module = Value.text("pallet_staking")
        let parts = path.lowerBound - module.count - 1
        try #require(blob[parts] == 2 << 2)
        let id = Array(blob[(parts - 2)..<parts])
        try #require(id[0] & 3 == 1, "an id of two bytes")
        let named = try #require(blob[path.upperBound...].firstRange(of: [1] + Value.text(field)))
        let old = named.upperBound..<named.upperBound + (blob[named.upperBound] & 3 == 1 ? 2 : 1)
        var changed = blob
        changed.replaceSubrange(old, with: id)
        return changed
    }
}

extension NetworkBundle {
    fileprivate mutating func removeMetadata() { for index in networks.indices { networks[index].metadata = [] } }
}
