import SCALE
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Metadata proofs")
struct MetadataProofTests {
    @Test(
        "a proof of the reference model reads and leads to the chain's hash",
        arguments: [GeneratedProof.remark, .transfer])
    func generated(known: GeneratedProof) throws {
        let proof = try MetadataProof(try #require(Hex.decode(known.proof)))
        #expect(proof.leafIndices == known.leafIndices && proof.leafCount == known.leafIndices.count)
        #expect(proof.nodeCount == known.nodeCount)
        #expect(
            proof.extraInfo
                == MetadataExtraInfo(
                    specVersion: 1_002_006, specName: "kusama", base58Prefix: 2, decimals: 12, tokenSymbol: "KSM"))
        #expect(proof.extensionIdentifiers.count == 9 && proof.extensionIdentifiers.last == "CheckMetadataHash")
        #expect(try proof.digest().hash.hex == GeneratedProof.metadataHash)
    }

    private static let known = "substrate-crypto/rfc78/proofs.json"

    @Test("every known proof leads to its hash", .enabled(if: SharedData.has(known)))
    func knownProofs() throws {
        for item in try SharedData.json(Self.known).array {
            let proof = try MetadataProof(try #require(item["metadata_proof"].hex))
            #expect(proof.leafIndices.map(Int.init) == item["leaf_indices"].array.compactMap(\.int))
            #expect(proof.nodeCount == item["node_count"].int)
            #expect(proof.extensionIdentifiers == item["signed_extensions"].array.compactMap(\.string))
            #expect(proof.extraInfo == MetadataExtraInfo(item["extra_info"]))
            let digest = try proof.digest()
            #expect(digest.typesTreeRoot.hex == item["types_tree_root"].string)
            #expect(digest.extrinsicMetadataHash.hex == item["extrinsic_metadata_hash"].string)
            #expect(digest.hash.hex == item["metadata_hash"].string)
        }
    }

    @Test("every known proof of known metadata is made again byte for byte", .enabled(if: SharedData.has(known)))
    func madeAgain() throws {
        var trees: [String: MerkleizedMetadata] = [:]
        for item in try SharedData.json(Self.known).array {
            guard let file = item["from_metadata"].string else { continue }
            let tree =
                try trees[file]
                ?? MerkleizedMetadata(RuntimeMetadata(SharedData.bytes("substrate-crypto/rfc78/\(file)")))
            trees[file] = tree
            #expect(try Self.make(item, tree) == item["metadata_proof"].hex, "\(item["name"])")
        }
        #expect(!trees.isEmpty)
    }

    private static func make(_ item: JSON, _ tree: MerkleizedMetadata) throws -> [UInt8] {
        let info = try #require(MetadataExtraInfo(item["extra_info"]))
        if let extrinsic = item["extrinsic"].hex {
            return try tree.proof(
                extrinsic: extrinsic, additionalSigned: try #require(item["additional_signed"].hex), extraInfo: info)
        }
        let extensions = (item["included_in_extrinsic"].hex ?? []) + (item["included_in_signed_data"].hex ?? [])
        return try tree.proof(
            call: try #require(item["call"].hex), extensions: extensions, extraInfo: info,
            includingAllSigners: item["address_and_signature_types_included"].bool ?? false)
    }

    @Test(
        "a proof made here leads to the hash of the metadata that it was made from", arguments: [14, 15, 16] as [UInt8])
    func ownProofs(version: UInt8) throws {
        let tree = try ProofChain.tree(version: version)
        let hash = tree.digest(ProofChain.extraInfo).hash
        for call in ProofCalls.all {
            let bytes = try ProofChain.proof(call.bytes, tree)
            let proof = try MetadataProof(bytes)
            #expect(try proof.digest().hash == hash, "\(call.name)")
            #expect(try ProofParts(bytes).bytes == bytes)
            #expect(proof.leafCount < tree.leafCount)
        }
    }

    @Test("a proof is read where it stands, and says where it ends")
    func range() throws {
        let bytes = try ProofChain.proof(TestChain.transfer)
        var decoder = ScaleDecoder([1, 2, 3] + bytes + [4, 5])
        try decoder.skip(3)
        let proof = try MetadataProof(from: &decoder)
        #expect(proof.range == 3..<3 + bytes.count && decoder.position == proof.range.upperBound)
        #expect(try proof == MetadataProof(bytes))
        #expect(try proof.digest() == MetadataProof(bytes).digest())
        #expect(throws: MetadataProofError.malformed(.trailingBytes(offset: bytes.count, count: 2))) {
            try MetadataProof(bytes + [4, 5])
        }
    }

    @Test("a proof for all signers holds every form of address and signature")
    func allSigners() throws {
        let tree = try ProofChain.tree()
        let extensions = TestChain.extensions(metadataHash: tree.digest(ProofChain.extraInfo).hash)
        let few = try tree.proof(call: [0, 0, 0], extensions: extensions, extraInfo: ProofChain.extraInfo)
        let all = try tree.proof(
            call: [0, 0, 0], extensions: extensions, extraInfo: ProofChain.extraInfo, includingAllSigners: true)
        // Three addresses, three signatures, an account and signatures of two lengths; bytes and hashes are in both.
        #expect(try MetadataProof(all).leafCount == MetadataProof(few).leafCount + 3 + 3 + 3)
        #expect(try MetadataProof(all).digest() == MetadataProof(few).digest())
    }

    @Test("a whole extrinsic proves the same as its parts, signed or not")
    func extrinsics() throws {
        let tree = try ProofChain.tree()
        let signer = [0] + ProofChain.alice + [1] + [UInt8](repeating: 9, count: 64)
        let extensions = TestChain.extensions()
        let signed = try tree.proof(
            extrinsic: Self.extrinsic([0x84] + signer + extensions.prefix(5) + TestChain.transfer),
            additionalSigned: Array(extensions.dropFirst(5)), extraInfo: ProofChain.extraInfo)
        let bare = try tree.proof(
            extrinsic: Self.extrinsic([4] + TestChain.transfer), additionalSigned: [], extraInfo: ProofChain.extraInfo)
        let digest = tree.digest(ProofChain.extraInfo)
        #expect(try MetadataProof(signed).digest() == digest)
        #expect(try MetadataProof(bare).digest() == digest)
        #expect(try MetadataProof(signed).leafCount > MetadataProof(bare).leafCount)
    }

    private static func extrinsic(_ content: [UInt8]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.byteSequence(content)
        return encoder.bytes
    }

    @Test("no proof is made of bytes that the metadata do not describe")
    func refusals() throws {
        let tree = try ProofChain.tree()
        let info = ProofChain.extraInfo
        let extensions = TestChain.extensions()
        #expect(throws: MerkleizationError.transactionDoesNotFit(offset: TestChain.transfer.count)) {
            try tree.proof(call: TestChain.transfer + [0], extensions: extensions, extraInfo: info)
        }
        #expect(throws: MerkleizationError.transactionDoesNotFit(offset: 0)) {
            try tree.proof(call: [77, 0], extensions: extensions, extraInfo: info)
        }
        #expect(throws: MerkleizationError.transactionDoesNotFit(offset: 1)) {
            try tree.proof(extrinsic: [4, 5], additionalSigned: [], extraInfo: info)
        }
        #expect(throws: MerkleizationError.transactionDoesNotFit(offset: 0)) {
            try tree.proof(extrinsic: [4, 5, 0], additionalSigned: [], extraInfo: info)
        }
        for end in TestChain.transfer.indices {
            #expect(throws: MerkleizationError.self) {
                try tree.proof(call: Array(TestChain.transfer[..<end]), extensions: extensions, extraInfo: info)
            }
        }
        for type in ["Loop", "Tree", "[();max]"] {
            let error = #expect(throws: MerkleizationError.self) {
                try tree.proof(call: TestChain.echo(type, []), extensions: extensions, extraInfo: info)
            }
            guard case .transactionTooLarge = error else {
                Issue.record("\(type) is refused as \(String(describing: error))")
                continue
            }
        }
    }
}
