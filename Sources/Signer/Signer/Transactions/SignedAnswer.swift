import Airgap
import SCALE
import Substrate
import TextForms

/// Signatures, as they go back to the hot wallet (`signer-wire` section 2.3).
public struct SignedAnswer: Hashable, Sendable {
    /// One, or those of a bulk in the order of its members.
    public var signatures: [MultiSignature]
    /// Whether a message was signed.
    public var isMessage: Bool

    package init(signatures: [MultiSignature], isMessage: Bool) {
        self.signatures = signatures
        self.isMessage = isMessage
    }

    /// Hex of the signature with its kind for one transaction, without for a message, of the whole record for several.
    public var text: String {
        guard signatures.count == 1 else { return Hex.encode(bulk) }
        return Hex.encode(isMessage ? signatures[0].signature : signatures[0].scaleEncoded)
    }

    /// What the QR codes hold: one code with text, or for several signatures a moving one.
    public func codes() throws(TransferError) -> TransferSender {
        try signatures.count == 1 ? TransferSender(Array(text.utf8)) : .phone(bulk)
    }

    /// Several signatures in one record.
    package var bulk: [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(PayloadKind.bulk.rawValue)
        encoder.sequence(signatures) { $0.value($1) }
        return encoder.bytes
    }
}
