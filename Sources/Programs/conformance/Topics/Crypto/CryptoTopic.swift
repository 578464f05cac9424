import Foundation
import KnownAnswers

/// Keys, signatures, addresses and hashes: the format of `data/substrate-crypto`.
enum CryptoTopic: Topic {
    static let name = "crypto"
    static let summary = "hashes, keys, signatures, addresses"

    static func run(folder: URL, report: inout Report) throws {
        let sections =
            hashes + transcripts + schnorrkel + mnemonics + addresses + classic + rules + published + metadataProofs
            + later
        try report.checkFiles(in: folder) { report, file, json in
            let folder = folder.appending(path: file).deletingLastPathComponent()
            report.check(json, file: file, folder: folder, with: sections)
        }
    }

    /// Lists that a later version checks.
    private static let later: [Section] = [
        .skipped("bip44_ethereum", because: "phrases of other wallets (BIP-44) are not part of this version"),
        .skipped("bip32_ed25519_ledger", because: "phrases of other wallets (Ledger) are not part of this version"),
        .skipped("bip39_standard", because: "phrases of other wallets (BIP-39 seeds) are not part of this version"),
        .skipped("registry", because: "a table of networks, not an answer"),
    ]
}
