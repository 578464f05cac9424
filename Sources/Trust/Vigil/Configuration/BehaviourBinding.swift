import CodeMeasurement

/// What a signed profile of behaviour is about: without it, the profile of another product or of an older release would
/// do as well.
///
/// The payload has the members `product` and `epoch` beside its rules, and both are those of the manifest.
///
/// Source: `vigil` section 9.3.
package enum BehaviourBinding {
    /// Reads a signed profile.
    ///
    /// - Parameters:
    ///   - file: the profile in its envelope.
    ///   - manifest: which it stands beside.
    /// - Throws: ``EnvelopeError``, ``ConfigurationError``, or what a malformed profile throws.
    package static func profile(
        verifying file: [UInt8], by trusted: TrustedKeys, beside manifest: Manifest
    ) throws -> BehaviourProfile {
        let payload = try Envelope(parsing: file).payload(ofType: ReleaseContent.behaviour.payloadType, by: trusted)
        return try profile(payload, product: manifest.product, epoch: manifest.epoch)
    }

    /// - Parameter payload: verified.
    /// - Throws: ``ConfigurationError``, or what a malformed profile throws.
    static func profile(_ payload: [UInt8], product: String, epoch: UInt32) throws -> BehaviourProfile {
        let named = try subject(of: payload)
        guard named.product == product, named.epoch == epoch else {
            throw ConfigurationError(
                "the rules are those of \(named.product), epoch \(named.epoch), and the manifest is of \(product), epoch \(epoch)"
            )
        }
        return try BehaviourProfile(json: payload)
    }

    /// The product and the epoch that rules are about.
    fileprivate static func subject(of payload: [UInt8]) throws -> (product: String, epoch: UInt32) {
        let fields = try JSONFields(reading: payload, limit: BehaviourProfile.maximumSize)
        return (try fields.string("product"), try fields.integer("epoch"))
    }
}

/// What the holders of release keys sign for installations.
package enum ReleaseContent: String, CaseIterable, Sendable {
    /// The digests of a product's programs (``Manifest``).
    case manifest
    /// Rules of behaviour (`BehaviourProfile`).
    case behaviour

    /// The type of its envelope's payload.
    package var payloadType: String {
        switch self {
        case .manifest: Manifest.payloadType
        case .behaviour: "application/vnd.vigil.behaviour.v2+json"
        }
    }

    /// Finds out whether an installation could read what an envelope holds, whoever has signed it.
    ///
    /// - Returns: what it is about.
    /// - Throws: ``EnvelopeError`` for something else, ``ManifestError``; for rules ``ConfigurationError`` with what is
    ///   wrong about them.
    package func check(_ envelope: Envelope) throws -> (product: String, epoch: UInt32) {
        guard envelope.type == payloadType else {
            throw EnvelopeError.wrongPayloadType(found: envelope.type, expected: payloadType)
        }
        switch self {
        case .manifest:
            let manifest = try Manifest(payload: envelope.unverified)
            return (manifest.product, manifest.epoch)
        case .behaviour:
            do {
                _ = try BehaviourProfile(json: envelope.unverified)
                return try BehaviourBinding.subject(of: envelope.unverified)
            } catch {
                throw ConfigurationError("\(error)")
            }
        }
    }
}
