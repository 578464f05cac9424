import Substrate

/// By which metadata a transaction was read, and who vouches for them.
package struct MetadataVouching: Hashable, Sendable {
    /// Whose word it is that they are the network's.
    package enum Voucher: Hashable, Sendable {
        case nobody
        /// The general verifier.
        case general(MultiSigner)
        /// The network's own verifier.
        case custom(MultiSigner)
        /// The transaction brings a proof, which the chain compares with what is signed.
        case proof
    }

    package var voucher: Voucher
    package var name: String
    /// The version that it was read by.
    package var used: UInt32
    /// The newest that is stored.
    package var latest: UInt32

    /// Whether no key vouches for the network's record and metadata; false where a proof does.
    var isUnverified: Bool { voucher == .nobody }
}
