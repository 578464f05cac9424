import SCALE
import TextForms

/// Accounts without a key of their own, which pallets derive from others (`signer-product` section 12.1).
package enum DerivedAccount {
    /// The tag of derived and of multisig accounts: both come from the utility pallet's first version.
    private static let tag = Array("modlpy/utilisuba".utf8)

    /// The account of a multisig.
    ///
    /// - Parameters:
    ///   - signatories: all of them, in any order; 32 bytes each, or 20 on chains with Ethereum accounts.
    ///   - threshold: how many must agree.
    package static func multisig(signatories: [[UInt8]], threshold: UInt16) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(tag)
        encoder.sequence(signatories.sorted { $0.lexicographicallyPrecedes($1) }) { $0.raw($1) }
        encoder.integer(threshold)
        return account(encoder, like: signatories.first)
    }

    /// The account that `as_derivative` acts for.
    package static func derivative(of account: [UInt8], index: UInt16) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(tag)
        encoder.raw(account)
        encoder.integer(index)
        return self.account(encoder, like: account)
    }

    /// The account: as many bytes of the hash as accounts of the chain have.
    private static func account(_ encoder: ScaleEncoder, like account: [UInt8]?) -> [UInt8] {
        Array(Blake2b.hash(encoder.bytes, size: 32).prefix(account?.count ?? 32))
    }
}

extension AccountAddress {
    /// The bytes of the account, as far as what is drawn from them tells.
    var accountID: [UInt8]? {
        switch identicon {
        case .dots(let bytes): bytes
        case .blockies(let text): Hex.decode(text)
        }
    }

    /// An account of 32 bytes as SS58, one of 20 as hex.
    ///
    /// - Returns: nil for a prefix that SS58 cannot express.
    package init?(accountID: [UInt8], prefix: UInt16) {
        if accountID.count == 20 {
            let text = "0x" + Hex.encode(accountID)
            self.init(text: text, identicon: .blockies(text))
        } else {
            guard let text = try? SS58.encode(accountID, prefix: prefix) else { return nil }
            self.init(text: text, identicon: .dots(accountID))
        }
    }
}
