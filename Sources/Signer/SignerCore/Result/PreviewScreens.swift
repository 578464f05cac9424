import Signer
import Substrate
import TextForms

/// A key that a wallet makes of a phrase: with address and key, or with the reason why there are none.
package struct PreviewRow: Sendable, Encodable {
    /// Which wallets make it so.
    package var scheme: String
    /// The path; empty for the root.
    package var path: String
    /// The address in Base58, uncut; nil where the key has none in this network.
    package var address: String?
    /// The public key in hex with 0x.
    package var publicKey: String?
    /// Why there is none.
    package var error: String?

    package init(_ row: PhrasePreview.Row) {
        scheme = row.scheme.rawValue
        path = row.path
        switch row.key {
        case .success(let key):
            address = key.address
            publicKey = "0x" + Hex.encode(key.publicKey)
        case .failure(let reason): error = "\(reason)"
        }
    }
}

/// The keys that other wallets make of the same words, to find out which one made a known address.
package struct KeyPreviewData: Sendable, Encodable {
    /// The name of the seed, or of the one whose words were typed.
    package var seed: String
    /// The paths that are looked at beside the root, with blanks between.
    package var paths: String
    /// The network whose form addresses have, or a prefix; empty for the usual ones.
    package var network: String
    /// How many accounts are shown of wallets that number them.
    package var accounts: Int
    /// Whether a password was typed.
    package var hasPassword: Bool
    /// Whether it has characters that keyboards write in more than one way.
    package var isPasswordAmbiguous: Bool
    /// The keys, by scheme.
    package var rows: [PreviewRow]

    /// Accounts of one scheme at the most.
    package static let accountLimit = PhrasePreview.accountLimit
}
