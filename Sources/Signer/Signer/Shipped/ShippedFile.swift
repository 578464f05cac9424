import CShippedFiles

/// A file that the program brings along as a part of itself. Metadata with other names in it would show a transfer as
/// something harmless: so they are constants of the program, which a release vouches for, and not files beside it.
package enum ShippedFile: String, CaseIterable, Sendable {
    case kusama = "kusama.metadata"
    case polkadot = "polkadot.metadata"
    case assetHub = "statemint.metadata"
    case westend = "westend.metadata"
    /// What a hot wallet shows: a Westend batch transaction, as PNG.
    case westendBatch = "westend-batch.png"

    package var bytes: [UInt8] {
        let file = casemate_shipped_file(rawValue)
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
