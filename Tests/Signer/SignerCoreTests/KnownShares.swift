import SecretMemory
import SplitBackup
import TestSupport

@testable import SignerCore

/// Shares of the public development phrase, made anew.
enum KnownShares {
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"

    static func sets() throws -> [String: FlowRunner.ShareRecord] {
        let split = try NewSplit(of: secret(phrase), title: "Alice", plan: .proposed)
        let passphrase = split.passphrase.publicText
        let shares = try split.shares(confirming: split.passphrase).map(\.text)
        return ["alice-2of3": FlowRunner.ShareRecord(shares: shares, passphrase: passphrase)]
    }

    static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
}
