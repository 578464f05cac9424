import CodeMeasurement

/// What a signed profile of behaviour is about: without it, the profile of another product or of an older release would do as well.
///
/// The payload has the members `product` and `epoch` beside its rules, and both are those of the manifest.
///
/// Source: `vigil` section 9.3.
enum BehaviourBinding {
    /// - Parameter payload: verified.
    /// - Throws: ``ConfigurationError``, or what a malformed profile throws.
    static func profile(_ payload: [UInt8], product: String, epoch: UInt32) throws -> BehaviourProfile {
        let fields = try JSONFields(
            JSONValue(reading: payload, within: JSONLimits(bytes: BehaviourProfile.maximumSize)), at: "")
        let named = (product: try fields.string("product"), epoch: try fields.integer("epoch") as UInt32)
        guard named.product == product, named.epoch == epoch else {
            throw ConfigurationError(
                "the rules are those of \(named.product), epoch \(named.epoch), and the manifest is of \(product), epoch \(epoch)"
            )
        }
        return try BehaviourProfile(json: payload)
    }
}
