import SCALE
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Merkleized metadata")
struct MerkleizedMetadataTests {
    @Test("versions 14, 15 and 16 of one runtime give one tree and one hash", arguments: [14, 16] as [UInt8])
    func versions(version: UInt8) throws {
        let expected = try ProofChain.tree(version: 15)
        let tree = try ProofChain.tree(version: version)
        #expect(tree.leafCount == expected.leafCount)
        #expect(tree.typesTreeRoot == expected.typesTreeRoot)
        #expect(tree.extrinsicMetadata == expected.extrinsicMetadata)
        #expect(tree.digest(ProofChain.extraInfo) == expected.digest(ProofChain.extraInfo))
    }

    @Test("documentation and unused types have no part in the hash")
    func unused() throws {
        let blob = ProofChain.model.blob(version: 15)
        let lean = try MerkleizedMetadata(RuntimeMetadata(LeanMetadata.transform(blob)))
        var model = ProofChain.model
        model.type("Event", .sequence("u8"))
        for tree in [lean, try ProofChain.tree(model)] {
            #expect(tree.digest(ProofChain.extraInfo) == (try ProofChain.tree().digest(ProofChain.extraInfo)))
        }
    }

    @Test("leaves come by type and then by variant, with numbers that leave no gap")
    func leafOrder() throws {
        let tree = try ProofChain.tree()
        let leaves = (0..<tree.leafCount).map { Array(tree.leaf($0)) }
        let read = try MetadataProof(ProofParts(leaves: leaves, indices: []).bytes).leaves
        for (leaf, next) in zip(read, read.dropFirst()) {
            if leaf.typeID == next.typeID {
                let (variant, following) = (try #require(leaf.variantIndex), try #require(next.variantIndex))
                #expect(variant < following)
            } else {
                #expect(next.typeID == leaf.typeID + 1)
            }
        }
        #expect(read.first?.typeID == 0)
    }

    @Test("the digest is made of root, hash of the extrinsic and what the chain says of itself")
    func digest() throws {
        let tree = try ProofChain.tree()
        let digest = tree.digest(ProofChain.extraInfo)
        let head = [1] + tree.typesTreeRoot.bytes + tree.extrinsicMetadataHash.bytes
        #expect(Hex.encode(digest.encoded) == Hex.encode(head) + "d204000010746573742a000c0c545354")
        #expect(tree.extrinsicMetadataHash == Blake3.hash(tree.extrinsicMetadata))
        #expect(digest.hash == Blake3.hash(digest.encoded))
    }

    @Test("what the chain says of itself comes from metadata and record")
    func extraInfo() throws {
        #expect(MetadataExtraInfo(try ProofChain.metadata(), TestChain.network) == ProofChain.extraInfo)
        var model = ProofChain.model
        model.pallets[0].constants.removeLast()
        #expect(MetadataExtraInfo(try ProofChain.metadata(model), TestChain.network).base58Prefix == 42)
    }

    @Test(
        "metadata that no leaf can describe is refused by name",
        arguments: [
            (MetadataModel.Definition.sequence("no such type"), MerkleizationError.typeNotResolved(type: 0)),
            (.bits(store: "u8", order: "u8"), .notBitOrderType(type: 0)),
            (.bits(store: "bool", order: "Lsb0"), .notBitStoreType(type: 0)),
            (.bits(store: "u128", order: "Lsb0"), .notBitStoreType(type: 0)),
            (.compact("bool"), .compactNotSimple(type: 0)), (.compact("(u8,bool)"), .compactNotSimple(type: 0)),
            (.compact("i32"), .compactNotSimple(type: 0)),
        ])
    func refusals(definition: MetadataModel.Definition, error: MerkleizationError) throws {
        var model = ProofChain.model
        model.redefine("Level", .composite([.init("bad", "Bad")]))
        model.type("Bad", definition)
        let thrown = #expect(throws: MerkleizationError.self) { try ProofChain.tree(model) }
        #expect(thrown.map(Self.name) == Self.name(error))
    }

    /// A struct of compacts: `count` fields, of as many types or all of one, around a tuple with some thousand members.
    private static func compacts(count: Int, types: Int) -> MetadataModel {
        var model = ProofChain.model
        model.type("Many", .tuple(Array(repeating: "unit", count: 2_100)))
        for number in 0..<types { model.type("Compact\(number)", .compact("Many")) }
        model.redefine("Level", .composite((0..<count).map { .init("f\($0)", "Compact\($0 % types)") }))
        return model
    }

    @Test("what is inside a compact is looked at once, however often it is used, and within bounds")
    func compactsOfMany() throws {
        #expect(try ProofChain.tree(Self.compacts(count: 520, types: 1)).leafCount > 0)
        #expect(throws: MerkleizationError.tooLarge) { try ProofChain.tree(Self.compacts(count: 520, types: 520)) }
    }

    @Test("a path that is written for each of many variants stays within bounds")
    func longPath() throws {
        var model = ProofChain.model
        let variants = (0...UInt8.max).map { MetadataModel.Variant(name: "v\($0)", index: $0) }
        func tree(_ count: Int) throws -> MerkleizedMetadata {
            model.type("Long\(count)", path: [String(repeating: "p", count: count)], .variant(variants))
            model.redefine("Level", .composite([.init("long", "Long\(count)")]))
            return try ProofChain.tree(model)
        }
        #expect(try tree(1_000).leafCount > 256)
        #expect(throws: MerkleizationError.tooLarge) { try tree(70_000) }
    }

    /// Without the type, whose number is the model's own affair.
    private static func name(_ error: MerkleizationError) -> String {
        String("\(error)".filter { !$0.isNumber })
    }

    @Test("metadata 14 that does not tell the parts of an extrinsic is refused")
    func extrinsicTypesUnknown() throws {
        for missing in ["Address", "Call", "Signature"] {
            var model = ProofChain.model
            model.types[model.id("UncheckedExtrinsic")].parameters.removeAll { $0.0 == missing }
            #expect(throws: MerkleizationError.extrinsicTypesUnknown) { try ProofChain.tree(model, version: 14) }
        }
    }

    private static let digests = "substrate-crypto/rfc78/digests.json"

    @Test("public chains have the hashes that they publish", .enabled(if: SharedData.has(digests)))
    func publicDigests() throws {
        for item in try SharedData.json(Self.digests).array {
            let blob = try SharedData.bytes("substrate-crypto/rfc78/\(item["metadata"].string ?? "")")
            let tree = try MerkleizedMetadata(RuntimeMetadata(blob))
            let digest = tree.digest(try #require(MetadataExtraInfo(item["extra_info"])))
            #expect(tree.leafCount == item["leaves"].int)
            #expect(tree.extrinsicMetadata == item["extrinsic_metadata"].hex)
            #expect(digest.encoded == item["digest_encoded"].hex)
            #expect(digest.hash.hex == item["metadata_hash"].string)
        }
    }

    private static let index = "signer-wire/metadata/index.json"

    @Test("trees of real metadata 15 and 16 have the leaves of the index", .enabled(if: SharedData.has(index)))
    func realTrees() throws {
        for item in try SharedData.json(Self.index).array where !item["rfc78"].isNull {
            let tree = try MerkleizedMetadata(
                RuntimeMetadata(SharedData.bytes("signer-wire/\(item["file"].string ?? "")")))
            #expect(tree.leafCount == item["rfc78"]["leaf_count"].int)
            guard let root = item["rfc78"]["types_tree_root"].string else { continue }
            #expect(tree.typesTreeRoot.hex == root)
            #expect(tree.extrinsicMetadataHash.hex == item["rfc78"]["extrinsic_metadata_hash"].string)
        }
    }
}

extension MetadataExtraInfo {
    /// The names in which known answers write it.
    init?(_ json: JSON) {
        guard let version = json["spec_version"].int, let name = json["spec_name"].string,
            let prefix = json["base58_prefix"].int ?? json["prefix"].int, let decimals = json["decimals"].int,
            let symbol = json["token_symbol"].string ?? json["symbol"].string
        else { return nil }
        self.init(
            specVersion: UInt32(truncatingIfNeeded: version), specName: name,
            base58Prefix: UInt16(truncatingIfNeeded: prefix), decimals: UInt8(truncatingIfNeeded: decimals),
            tokenSymbol: symbol)
    }
}
