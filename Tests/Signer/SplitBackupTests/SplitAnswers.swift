import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import SplitBackup

/// Deterministic splits, with every value on the way.
enum SplitAnswers {
    static let all: JSON = {
        let path = "Tests/Signer/SplitBackupTests/Fixtures/splits.json"
        return (try? JSON(contentsOf: packageRoot.appending(path: path))) ?? .null
    }()
    static let splits = all["split"].array.map(Split.init)

    struct Split: CustomTestStringConvertible, Sendable {
        let json: JSON

        var testDescription: String { json["id"].string ?? "" }
        var title: String { json["title"].string ?? "?" }
        var nonce: [UInt8] { json["nonce"].hex ?? [] }
        var shares: [String] { json["shares"].strings }
        var total: Int { json["totalShards"].int ?? 0 }
        var required: Int { json["requiredShards"].int ?? 0 }

        func secret() throws -> SecretBytes { try SecretBytes(publicText: json["secret"].string ?? "?") }
        func passphrase() throws -> SecretBytes { try SecretBytes(publicText: json["passphrase"].string ?? "?") }

        /// The coefficient of x^j for element k is 17 k + 91 j + 7.
        func coefficients(elements: Int) throws -> SecretBytes {
            try SecretBytes(count: elements * (required - 1)) { memory in
                for power in 1..<required {
                    for element in 0..<elements {
                        memory[(power - 1) * elements + element] = UInt8((17 * element + 91 * power + 7) & 0xff)
                    }
                }
            }
        }
    }
}

/// Answers of other implementations, which are not part of this repository.
enum ForeignShares {
    static let path = "signer-product/banana-split/vectors.json"
    static let isThere = SharedData.has(path)
    static let all: JSON = (try? SharedData.json(path)) ?? .null

    static func set(of shares: some Sequence<String>) throws -> ShareSet {
        let shares = try shares.map { try BackupShare(reading: Array($0.utf8)) }
        var set = try ShareSet(shares[0])
        for share in shares.dropFirst() { try set.add(share) }
        return set
    }
}
