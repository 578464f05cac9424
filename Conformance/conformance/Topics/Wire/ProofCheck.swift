import KnownAnswers
import SCALE
import Substrate

/// `{proofs, trees, metadata_hashes}`: metadata proofs with what they decode to.
enum ProofCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("proofs", "trees", "metadata_hashes")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for item in content["proofs"].rows {
            let name = file.name(item["name"].string ?? "?")
            do { try checkProof(item, of: file, name: name, report: &report) } catch {
                report.fail(name, because: "\(error)")
            }
        }
        for tree in content["trees"].rows {
            let count = max(0, tree["n"].int ?? 0)
            report.expect(
                file.name("trees[\(count)] rule"), tree["leaf_hashes"].string,
                equals: "blake3 of the single byte i, i=0..n-1")
            let leaves = (0..<count).map { Blake3.hash([UInt8(truncatingIfNeeded: $0)]) }
            report.expect(
                file.name("trees[\(count)]"), MerkleTree(leafHashes: leaves).root.hex,
                equals: tree["root"].string ?? "")
        }
        for (path, hash) in content["metadata_hashes"]["hashes"].object {
            let name = file.name(path)
            do {
                let tree = try MerkleizedMetadata(RuntimeMetadata(file.bytes(of: path)))
                let info = try MetadataExtraInfo(content["metadata_hashes"]["extra_info"])
                report.expect(name, tree.digest(info).hash.hex, equals: hash.string ?? "")
            } catch {
                report.fail(name, because: "\(error)")
            }
        }
    }

    private static func checkProof(_ item: JSON, of file: AnswerFile, name: String, report: inout Report) throws {
        let bytes = try file.bytes(of: item["file"].string ?? "")
        // A whole payload has its leading bytes and the author in front.
        let start = item["public_key_bytes"].int.map { 3 + $0 } ?? 0
        var decoder = ScaleDecoder(bytes, in: start..<bytes.count)
        let proof = try MetadataProof(from: &decoder)
        let digest = try proof.digest()
        report.expect("\(name) bytes", proof.range.count, equals: item["proof_bytes"].int ?? -1)
        report.expect("\(name) leaves", proof.leafCount, equals: item["leaves"].int ?? -1)
        report.expect(
            "\(name) indices", proof.leafIndices.map(Int.init), equals: item["leaf_indices"].ints)
        report.expect("\(name) nodes", proof.nodeHashes, equals: item["nodes"].hexes)
        report.expect(
            "\(name) hashes of leaves", proof.leafBytes.map { Blake3.hash(Array($0)).bytes },
            equals: item["leaf_hashes"].hexes)
        // What the file holds besides, in words, and the number of the call's type in the chain's metadata.
        item.leave("layout", "call_ty")
        report.expect("\(name) root", digest.typesTreeRoot.hex, equals: item["types_tree_root"].string ?? "")
        report.expect(
            "\(name) extrinsic", digest.extrinsicMetadataHash.hex, equals: item["extrinsic_metadata_hash"].string ?? "")
        report.expect("\(name) extra info", proof.extraInfo, equals: try MetadataExtraInfo(item["extra_info"]))
        report.expect("\(name) hash", digest.hash.hex, equals: item["metadata_hash"].string ?? "")
        report.expect("\(name) extensions", proof.extensionIdentifiers, equals: item["extensions"].strings)
        if let call = item["call"].hex, let extensions = item["extensions_data"].hex,
            let genesis = item["genesis_hash"].hex.flatMap({ Hash256($0) })
        {
            let network = NetworkSpecs(
                base58Prefix: proof.extraInfo.base58Prefix, color: "", decimals: proof.extraInfo.decimals,
                scheme: .sr25519, genesisHash: genesis, logo: "", name: proof.extraInfo.specName, pathID: "",
                secondaryColor: "", title: proof.extraInfo.specName, unit: proof.extraInfo.tokenSymbol)
            let decoded = ProofTransactionDecoder(proof: proof, network: network).decode(
                call + extensions, call: 0..<call.count, extensions: call.count..<call.count + extensions.count,
                genesis: genesis)
            report.expect(
                "\(name) method", decoded.method?.cards.map(\.line) ?? [], equals: item["method_lines"].strings)
            report.expect(
                "\(name) extension cards", decoded.extensions?.cards.map(\.line) ?? [],
                equals: item["extension_lines"].strings)
        }
    }
}
