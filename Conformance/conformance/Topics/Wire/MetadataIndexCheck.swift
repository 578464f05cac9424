import KnownAnswers
import MetadataDescriptions
import Substrate

/// `[{file, bytes, blake2_256, format_version, outcome, …}]`, one for each metadata blob.
enum MetadataIndexCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("file", "format_version", "outcome")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for item in content.array {
            let name = file.name(item["file"].string ?? "?")
            guard let path = item["file"].string, let data = try? file.bytes(of: path) else {
                report.fail(name, because: "the blob cannot be read")
                continue
            }
            check(data, item, name: name, report: &report)
        }
    }

    private static func check(_ blob: [UInt8], _ item: JSON, name: String, report: inout Report) {
        report.expect("\(name) bytes", blob.count, equals: item["bytes"].int ?? -1)
        report.expect("\(name) hash", Blake2b.hash256(blob).hex, equals: item["blake2_256"].string ?? "")
        // Under what licence it was published, and versions of extrinsics beside the one that is read here.
        item.leave("licence", "extrinsic_versions", "transaction_extensions_by_version.0")
        do {
            let metadata = try ChainMetadata(blob)
            guard item["outcome"].string == "ok" else {
                return report.fail(name, because: "decodes, expected an error")
            }
            compare(metadata, item, name: name, report: &report)
            switch metadata {
            case .registry(let metadata):
                compareTypes(metadata, item, name: name, report: &report)
                let full = try FullMetadata(blob)
                report.expect("\(name) full types", full.types.count, equals: item["type_count"].int ?? -1)
            case .text(let metadata):
                report.expect("\(name) extensions", metadata.extensions, equals: item["extensions"].strings)
                comparePallets(
                    metadata.pallets.map { ($0.index, $0.name, $0.callCount, $0.constantCount) }, with: item,
                    name: name, report: &report)
            }
        } catch .versionNotReadable(let version) {
            report.skip(name, because: "metadata \(version) is not read by this build")
        } catch {
            report.expect(name, error.code, equals: item["error"]["code"].string ?? "no error")
            report.expect("\(name) outcome", "error", equals: item["outcome"].string)
        }
    }

    private static func compare(_ metadata: ChainMetadata, _ item: JSON, name: String, report: inout Report) {
        report.expect("\(name) blob", metadata.blobHash.hex, equals: item["blake2_256"].string ?? "")
        report.expect("\(name) format", Int(metadata.formatVersion), equals: item["format_version"].int ?? -1)
        report.expect("\(name) spec name", metadata.specName, equals: item["spec_name"].string ?? "")
        report.expect("\(name) spec version", Int(metadata.specVersion), equals: item["spec_version"].int ?? -1)
        report.expect(
            "\(name) transaction version", Int(metadata.version.transactionVersion),
            equals: item["transaction_version"].int ?? -1)
        report.expect("\(name) prefix", metadata.base58Prefix.map(Int.init), equals: item["ss58_prefix"].int)
        report.expect(
            "\(name) incomplete", metadata.extensionsIncomplete, equals: item["warn_incomplete_extensions"].bool ?? true
        )
    }

    private static func compareTypes(_ metadata: RuntimeMetadata, _ item: JSON, name: String, report: inout Report) {
        report.expect("\(name) extensions", metadata.extensions.map(\.identifier), equals: item["extensions"].strings)
        report.expect("\(name) types", metadata.typeCount, equals: item["type_count"].int ?? -1)
        report.expect("\(name) outer call", metadata.outerCallType.map(Int.init), equals: item["outer_call_type"].int)
        comparePallets(
            metadata.pallets.map { ($0.index, $0.name, metadata.callCount(of: $0), $0.constantCount) }, with: item,
            name: name,
            report: &report)
        compareTree(metadata, with: item["rfc78"], name: name, report: &report)
    }

    /// The tree of RFC-0078, with the extra information of the published examples.
    private static func compareTree(
        _ metadata: RuntimeMetadata, with expected: JSON, name: String, report: inout Report
    ) {
        guard let count = expected["leaf_count"].int else { return }
        do {
            let tree = try MerkleizedMetadata(metadata)
            report.expect("\(name) leaves", tree.leafCount, equals: count)
            guard let root = expected["types_tree_root"].string else { return }
            report.expect("\(name) root", tree.typesTreeRoot.hex, equals: root)
            report.expect(
                "\(name) extrinsic", tree.extrinsicMetadataHash.hex,
                equals: expected["extrinsic_metadata_hash"].string ?? "")
            let info = MetadataExtraInfo(
                specVersion: 1, specName: "nice", base58Prefix: 1, decimals: 1, tokenSymbol: "lol")
            report.expect(
                "\(name) metadata hash", tree.digest(info).hash.hex,
                equals: expected["metadata_hash_with_test_info"].string ?? "")
        } catch {
            report.fail("\(name) tree", because: error.description)
        }
    }

    private static func comparePallets(
        _ pallets: [(index: UInt8, name: String, calls: Int?, constants: Int)], with item: JSON, name: String,
        report: inout Report
    ) {
        let found = pallets.map { "\($0.index) \($0.name) \($0.calls ?? -1) \($0.constants)" }
        let expected = item["pallets"].array.map { pallet in
            "\(pallet[0].int ?? -1) \(pallet[1].string ?? "") \(pallet[2].int ?? -1) \(pallet[3].int ?? -1)"
        }
        report.expect("\(name) pallets", found, equals: expected)
    }
}
