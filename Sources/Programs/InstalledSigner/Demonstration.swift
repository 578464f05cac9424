import SecretMemory
import Signer

/// What programs show with: a phrase that everybody knows, and the picture of a transaction that its key can sign.
package enum Demonstration {
    /// The public development phrase, which is never a secret.
    package static func phrase() throws -> SecretBytes {
        var bytes = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        return try SecretBytes(movingFrom: &bytes)
    }

    /// What a hot wallet shows: a Westend batch transaction, as PNG.
    package static var picture: [UInt8] { ShippedFile.westendBatch.bytes }
}
