import KnownAnswers
import SCALE
import Substrate

/// Trees of RFC-0078, and the chain's leaves.
extension CryptoTopic {
    static let metadataTrees: [String: RowCheck] = [
        "tree_shapes": RowCheck { row in
            row.expect("rule of the leaves", "blake3(LE32(i)) for i in 0..<n", equals: try row.text("leaf"))
            guard let count = row["n"].int else { throw RowError.missing("n") }
            let leaves = (0..<count).map { Blake3.hash(bytes(of: UInt32($0))) }
            row.expect("root", MerkleTree(leafHashes: leaves).root.hex, equals: try row.text("root"))
        },
        // The numbers of types in the metadata, which leaves do not have.
        "leaf_samples": RowCheck(besides: ["type_id", "variant"]) { row in
            // All samples are of one chain, which the file names beside the list.
            guard let path = try row.ownFile.content()["leaf_samples_from"].string else {
                throw RowError.missing("leaf_samples_from")
            }
            let tree = try MerkleizedMetadata(RuntimeMetadata(row.file(named: path)))
            guard let index = row["leaf_index"].int else { throw RowError.missing("leaf_index") }
            let leaf = Array(tree.leaf(index))
            row.expect("leaf", leaf, equals: try row.bytes("encoded"))
            row.expect("hash", Blake3.hash(leaf).hex, equals: try row.text("hash"))
        },
    ]

    private static func bytes(of number: UInt32) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(number)
        return encoder.bytes
    }
}

/// `[{metadata, extra_info, types_tree_root, digest_encoded…}]`: what metadata come to.
enum DigestAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("digest_encoded") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        // Where it was published, and a count of types of which leaves are made.
        report.check(content, besides: ["published", "type_ids"]) { row in
            let tree = try MerkleizedMetadata(RuntimeMetadata(row.file("metadata")))
            let digest = tree.digest(try MetadataExtraInfo(row["extra_info"]))
            row.expect("leaves", tree.leafCount, equals: row["leaves"].int ?? -1)
            row.expect("root", tree.typesTreeRoot.hex, equals: try row.text("types_tree_root"))
            row.expect("extrinsic metadata", tree.extrinsicMetadata, equals: try row.bytes("extrinsic_metadata"))
            row.expect(
                "extrinsic metadata hash", digest.extrinsicMetadataHash.hex,
                equals: try row.text("extrinsic_metadata_hash"))
            row.expect("digest", digest.encoded, equals: try row.bytes("digest_encoded"))
            row.expect("hash", digest.hash.hex, equals: try row.text("metadata_hash"))
        }
    }
}

/// `[{metadata_proof, leaf_indices, …}]`: proofs as they travel, some with the metadata that they are made of.
enum ProofAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("metadata_proof", "leaf_indices") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        // Payloads around the proofs are those of the topic wire, the screens another device's.
        report.check(
            content,
            besides: [
                "encryption_code", "extensions_concatenated", "genesis_hash", "hash_inside_payload", "hash_matches",
                "payload_call_ext_signed_concatenated", "qr_payload", "signer",
            ]
        ) { row in
            _ = row["ledger_screen_lines_expert"].strings
            try checkProof(&row)
            if !row["from_metadata"].isNull { try regenerate(&row) }
        }
    }

    private static func checkProof(_ row: inout Row) throws {
        let proof = try MetadataProof(row.bytes("metadata_proof"))
        row.expect("leaves", proof.leafCount, equals: row["leaf_count"].int ?? -1)
        row.expect("nodes", proof.nodeCount, equals: row["node_count"].int ?? -1)
        row.expect("indices", proof.leafIndices.map(Int.init), equals: row["leaf_indices"].ints)
        row.expect("extensions", proof.extensionIdentifiers, equals: row["signed_extensions"].strings)
        row.expect("extra info", proof.extraInfo, equals: try MetadataExtraInfo(row["extra_info"]))
        let digest = try proof.digest()
        row.expect("root", digest.typesTreeRoot.hex, equals: try row.text("types_tree_root"))
        row.expect("extrinsic", digest.extrinsicMetadataHash.hex, equals: try row.text("extrinsic_metadata_hash"))
        row.expect("hash", digest.hash.hex, equals: try row.text("metadata_hash"))
    }

    /// Makes the proof again from the metadata that it was cut from.
    private static func regenerate(_ row: inout Row) throws {
        let tree = try MerkleizedMetadata(RuntimeMetadata(row.file("from_metadata")))
        let info = try MetadataExtraInfo(row["extra_info"])
        let proof: [UInt8]
        if !row["extrinsic"].isNull {
            proof = try tree.proof(
                extrinsic: row.bytes("extrinsic"), additionalSigned: row.bytes("additional_signed"), extraInfo: info)
        } else {
            proof = try tree.proof(
                call: row.bytes("call"),
                extensions: row.bytes("included_in_extrinsic") + row.bytes("included_in_signed_data"),
                extraInfo: info,
                includingAllSigners: row["address_and_signature_types_included"].bool ?? false)
        }
        row.expect("proof made again", proof, equals: try row.bytes("metadata_proof"))
    }
}

/// `[{metadata_proof, claimed_metadata_hash, …}]`: proofs that are none. What is compared is that each is refused.
enum MauledProofAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("metadata_proof", "claimed_metadata_hash") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        // What was changed, and what other verifiers would say of it.
        report.check(
            content, besides: ["base", "root_only_verifier_would_accept", "unconsumed_leaves", "unconsumed_nodes"]
        ) { row in
            let claimed = try row.text("claimed_metadata_hash")
            let bytes = try row.bytes("metadata_proof")
            row.expect("verdict that is asked for", "reject", equals: try row.text("expect"))
            do {
                let found = try MetadataProof(bytes).digest().hash.hex
                if found == claimed { row.expect("verdict", "accepted", equals: "refused") }
            } catch {
                // Refused, as it should be.
            }
        }
    }
}

extension MetadataExtraInfo {
    /// The names in which known answers write it.
    init(_ json: JSON) throws {
        guard let version = json["spec_version"].int.flatMap({ UInt32(exactly: $0) }),
            let name = json["spec_name"].string,
            let prefix = (json["base58_prefix"].int ?? json["prefix"].int).flatMap({ UInt16(exactly: $0) }),
            let decimals = json["decimals"].int.flatMap({ UInt8(exactly: $0) }),
            let symbol = (json["token_symbol"].string ?? json["symbol"].string)
        else { throw RowError.missing("extra_info") }
        self.init(
            specVersion: version, specName: name, base58Prefix: prefix, decimals: decimals, tokenSymbol: symbol)
    }
}
