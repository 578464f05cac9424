import Substrate
import TextForms

/// Why a transaction that could be taken apart is shown as far as it was read, and not signed.
package struct ReadingFault: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Part: Sendable {
        /// The call does not read by the metadata.
        case method
        /// What stands behind the call does not.
        case extensions
        /// The metadata hash that would be signed is not that of what it was shown with.
        case metadataHash
    }

    /// What is wrong.
    package var part: Part
    /// Why.
    package var error: DecodingError
    /// The pallet that the call names: its name or, where there is none, its index.
    package var pallet: String
    /// The network's name.
    package var network: String
    /// The version of the metadata that it was read by.
    package var version: UInt32

    init(_ error: DecodingError, in read: ReadTransaction) {
        self.error = error
        part = Self.part(of: error, extensions: read.extensions)
        let index =
            read.payload.bytes.indices.contains(read.call.lowerBound) ? read.payload.bytes[read.call.lowerBound] : 0
        pallet = read.metadataRead?.palletName(at: index) ?? "\(index)"
        network = read.network.name
        version = read.metadata.used
    }

    private static func part(of error: DecodingError, extensions: Range<Int>) -> Part {
        switch error {
        case .metadataHashMismatch, .metadataNotMerkleizable, .metadataProofBroken, .proofDiffersFromStored,
            .metadataHashDisabled, .metadataHashMissing, .metadataHashNotLast:
            .metadataHash
        case .someDataNotUsedExtensions, .immortalHashMismatch, .wrongNetworkVersion, .noEra, .noBlockHash,
            .noVersionExt, .noGenesisHash, .eraTwice, .blockHashTwice, .genesisHashTwice, .specVersionTwice,
            .checkMetadataHashModeExpected:
            .extensions
        default: error.offset.map { extensions.contains($0) } ?? false ? .extensions : .method
        }
    }
}

extension ReadingFault: CustomStringConvertible {
    /// What happened, and what can be done.
    package var description: String {
        switch part {
        case .method:
            "The call of the pallet \(ForeignName.shown(pallet)) cannot be read by the metadata \(ForeignName.shown(network))\(version): \(error). What cannot be read is not "
                + "signed: get newer metadata, or have the wallet make the transaction anew."
        case .extensions:
            "What stands behind the call cannot be read by the metadata \(ForeignName.shown(network))\(version): \(error). It is not signed: get newer "
                + "metadata, or have the wallet make the transaction anew."
        case .metadataHash: "The transaction is not signed: \(error)."
        }
    }
}
