import Foundation
import KnownAnswers

/// Keys, signatures, addresses and hashes: the format of `data/substrate-crypto`.
enum CryptoTopic: Topic {
    static let name = "crypto"
    static let summary = "hashes, keys, signatures, addresses"

    static func run(folder: URL, report: inout Report) throws {
        let sections =
            hashes + transcripts + schnorrkel + mnemonics + wallets + addresses + classic + rules + published + later
        try report.checkFiles(in: folder) { report, file, json in
            report.check(json, file: file, with: sections)
        }
    }

    /// Lists that a later version checks.
    private static let later: [Section] = [
        .skipped("tree_shapes", because: metadataProofs), .skipped("leaf_samples", because: metadataProofs),
        .skipped("registry", because: "a table of networks, not an answer"),
    ]

    private static let metadataProofs = "metadata proofs (RFC-0078) are not part of this version"
}
