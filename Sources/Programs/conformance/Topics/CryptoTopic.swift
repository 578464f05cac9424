import Foundation

enum CryptoTopic: Topic {
    static let name = "crypto"
    static let summary = "keys, signatures, addresses"

    static func run(folder: URL, report: inout Report) throws {}
}
