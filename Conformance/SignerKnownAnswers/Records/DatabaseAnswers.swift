import KnownAnswers
import SCALE
import Signer
import Substrate

/// `{keys: {kind: […]}, database: {trees, crc32, stateDigest, withTransactionRow…}}`.
enum DatabaseAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("keys", "database") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content["keys"], by: kinds)
        try checkDatabase(content["database"], report: &report)
    }

    /// A kind of key or value: how a row is read and what it is then.
    private static let kinds: [String: RowCheck] = [
        "networkSpecsKey": RowCheck { row in
            let key: NetworkKey = try row.decoded()
            row.expect("genesis", key.genesisHash.hex, equals: try row.text("genesis"))
            row.expect("encryption", key.scheme.name, equals: try row.text("encryption"))
        },
        "badNetworkSpecsKey": RowCheck { row in
            let key = row.json.hex.map { try? NetworkKey(scaleEncoded: $0) }
            row.expect("key", key, equals: .some(nil))
        },
        "addressKey": RowCheck { row in
            let signer: MultiSigner = try row.decoded()
            row.expect("signer", signer.known, equals: row["multisigner"])
        },
        "metaKey": RowCheck { row in
            let key: MetadataName = try row.decoded()
            row.expect("name", key.name, equals: try row.text("name"))
            row.expect("version", Int(key.version), equals: try row.integer("version"))
        },
        "metaPrefix": RowCheck { row in
            row.expect("prefix", MetadataName.prefix(name: try row.text("name")), equals: try row.bytes("hex"))
        },
        "order": RowCheck { row in
            let order = try row.integer("n", as: UInt32.self)
            row.expect("key", HistoryLog.key(order: order), equals: try row.bytes("hex"))
        },
        "currentVerifier": RowCheck { row in
            let verifier: CurrentVerifier = try row.decoded()
            row.expect("verifier", verifier.words, equals: try row.text("v"))
        },
        "generalVerifier": RowCheck { row in
            let verifier: Verifier = try row.decoded()
            row.expect("verifier", verifier.known, equals: row["v"])
        },
        "danger": RowCheck { row in
            row.expect("flag", try row.bytes("hex"), equals: try row.flag("safe") ? [0] : [1])
        },
        "addressDetails": RowCheck { row in
            let details: AddressDetails = try row.decoded()
            let json = row.json.object.filter { !["hex", "key"].contains($0.key) }
            row.expect("details", .object(details.known), equals: JSON.object(json))
            row.expect(
                "scheme of its key", details.scheme.name, equals: try row.text("key").prefix { $0 != ":" }.description)
        },
        "orderedSpecs": RowCheck { row in
            let network: OrderedNetworkSpecs = try row.decoded()
            row.expect(
                "network", .object(network.known), equals: JSON.object(row.json.object.filter { $0.key != "hex" }))
        },
    ]

    private static func checkDatabase(_ json: JSON, report: inout Report) throws {
        report.check(json) { row in
            var trees = try row.trees()
            row.expect("checksum", Int(trees.checksum), equals: try row.integer("crc32"))
            row.expect(
                "checksum in hex", hex(withUnsafeBytes(of: trees.checksum.bigEndian, Array.init)),
                equals: try row.text("crc32Hex"))
            row.expect("digest of all trees", hex(trees.digestOfAll), equals: try row.text("stateDigest"))
            let pending = row["withTransactionRow"]
            // What waits for a yes is no part of the state that it is bound to.
            let state = hex(trees.digest)
            row.expect("digest", state, equals: pending["stateDigestExcludingTransaction"].string)
            guard let key = pending["row"][0].hex, let value = pending["row"][1].hex else {
                throw RowError.missing("withTransactionRow.row")
            }
            trees.pairs[.transaction, default: []].append((key, value))
            row.expect("checksum with a pending row", Int(trees.checksum), equals: pending["crc32"].int)
            row.expect(
                "digest of all with a pending row", hex(trees.digestOfAll), equals: pending["stateDigest"].string)
            row.expect("digest with a pending row", hex(trees.digest), equals: state)
        }
    }
}

extension CurrentVerifier {
    /// As the answers write it, a key by its first two bytes.
    fileprivate var words: String {
        switch self {
        case .dead: "dead"
        case .valid(.general): "valid/general"
        case .valid(.custom(let verifier)):
            verifier.key.map { "valid/custom \($0.scheme.name) \(hex(Array($0.publicKey.prefix(2))))…" }
                ?? "valid/custom none"
        }
    }
}

extension Row {
    /// The value that the row's bytes are, which are written back as they were.
    fileprivate mutating func decoded<T: ScaleCodable>() throws -> T {
        let bytes = try self.bytes("hex")
        let value = try T(scaleEncoded: bytes)
        expect("written", hex(value.scaleEncoded), equals: hex(bytes))
        return value
    }

    fileprivate mutating func trees() throws -> KnownTrees {
        var trees = KnownTrees()
        for (name, pairs) in self["trees"].object {
            guard let tree = Tree(rawValue: name) else { throw RowError.missing("tree \(name)") }
            trees.pairs[tree] = try pairs.array.map { pair in
                guard let key = pair[0].hex, let value = pair[1].hex else { throw RowError.missing(name) }
                expect("\(name) \(hex(key)) written", try tree.rewritten(key: key, value: value), equals: value)
                return (key, value)
            }
        }
        return trees
    }
}

/// A whole database, in memory.
private struct KnownTrees {
    var pairs: [Tree: [(key: [UInt8], value: [UInt8])]] = [:]

    var digest: [UInt8] { StateDigest.state { pairs[$0] ?? [] } }

    /// As the answers also give it: with the tree of what is pending, which ours leaves out.
    var digestOfAll: [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(Array("cold-vault/state/v1".utf8))
        for (tree, pairs) in sorted {
            encoder.byteSequence(Array(tree.rawValue.utf8))
            encoder.compact(pairs.count)
            for (key, value) in pairs {
                encoder.byteSequence(key)
                encoder.byteSequence(value)
            }
        }
        return Blake2b.hash(encoder.bytes, size: 32)
    }

    /// CRC-32 over names, keys and values one after the other, as the original has it.
    var checksum: UInt32 {
        CRC32.of(sorted.flatMap { tree, pairs in [Array(tree.rawValue.utf8)] + pairs.flatMap { [$0.key, $0.value] } })
    }

    private var sorted: [(Tree, [(key: [UInt8], value: [UInt8])])] {
        pairs.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }
}

extension Tree {
    /// What reading a pair and writing it again gives.
    fileprivate func rewritten(key: [UInt8], value: [UInt8]) throws -> [UInt8] {
        switch self {
        case .chainspecs: try OrderedNetworkSpecs(scaleEncoded: value).scaleEncoded
        case .addresses: try AddressDetails(scaleEncoded: value).scaleEncoded
        case .verifiers: try CurrentVerifier(scaleEncoded: value).scaleEncoded
        case .history: try HistoryEntry(scaleEncoded: value).scaleEncoded
        default: value
        }
    }
}
