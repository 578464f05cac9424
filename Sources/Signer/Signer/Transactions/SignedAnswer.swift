import Substrate

/// A signature, as it goes back to the hot wallet.
public struct SignedAnswer: Hashable, Sendable {
    public var signature: MultiSignature
    public var isMessage: Bool

    public init(signature: MultiSignature, isMessage: Bool) {
        self.signature = signature
        self.isMessage = isMessage
    }

    /// What the QR code holds: hex of the signature with its kind for a transaction, without for a message.
    public var text: String {
        Hex.encode(isMessage ? signature.signature : signature.scaleEncoded)
    }
}
