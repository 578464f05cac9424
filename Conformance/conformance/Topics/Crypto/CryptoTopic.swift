import Foundation
import KnownAnswers

/// Keys, signatures, addresses and hashes: the format of `data/substrate-crypto`.
enum CryptoTopic: Topic {
    static let name = "crypto"
    static let summary = "hashes, keys, signatures, addresses"

    static func run(folder: URL, report: inout Report) throws {
        let sections =
            hashes + transcripts + schnorrkel + mnemonics + wallets + addresses + classic + rules + published
            + metadataProofs
        try report.checkFiles(in: folder) { report, file, json in
            let folder = folder.appending(path: file).deletingLastPathComponent()
            report.check(json, file: file, folder: folder, with: sections)
        }
    }
}
