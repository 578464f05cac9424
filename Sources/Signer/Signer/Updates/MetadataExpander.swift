import Airgap

/// Expands compressed metadata where that can do no harm: in a process that can only compute.
///
/// Gets a frame whose signature holds. Returns as many bytes as it states; what it throws ends
/// the reading of the payload.
///
/// Source: `signer-product` section 2.3.
public typealias MetadataExpander = @Sendable (_ packed: PackedMetadata) throws -> [UInt8]

extension UpdatePayload {
    /// The update with its metadata expanded; itself where nothing is compressed.
    ///
    /// - Throws: ``RefusedPayload/metadataNotExpanded``, ``RefusedPayload/packedMetadataDamaged(reason:)``, and what
    ///   the expander throws.
    func expanded(by expander: MetadataExpander?) throws -> UpdatePayload {
        guard case .packedMetadata(let packed, _) = content else { return self }
        guard let expander else { throw RefusedPayload.metadataNotExpanded }
        guard let update = expanded(to: try expander(packed)) else {
            throw RefusedPayload.packedMetadataDamaged(reason: "another number of bytes came out than was signed")
        }
        return update
    }
}
