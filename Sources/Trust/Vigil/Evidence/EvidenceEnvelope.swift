import StrictJSON

/// Evidence with both signatures, and a quote of a TPM where there is one: what a verifier is sent.
///
/// Source: `vigil` section 9.4.
public struct EvidenceEnvelope: Hashable, Sendable {
    package let envelope: Envelope
    /// A TPM's word about the machine; nil where there is none.
    public var quote: EvidenceQuote?

    package init(_ envelope: Envelope, quote: EvidenceQuote? = nil) {
        self.envelope = envelope
        self.quote = quote
    }

    /// - Throws: ``EvidenceRefusal/malformed(_:)``
    package init(parsing json: [UInt8]) throws(EvidenceRefusal) {
        do {
            let value = try JSONReader.ofVigil(limit: 2 * Evidence.sizeLimit).read(json)
            envelope = try Envelope(value)
            let fields = try JSONFields(value)
            quote = try fields.has("quote") ? EvidenceQuote(fields.object("quote")) : nil
        } catch {
            throw .malformed("\(error)")
        }
    }

    /// The JSON text that is sent.
    public var json: [UInt8] {
        var members = envelope.members
        if let quote { members["quote"] = quote.json }
        return JSON.object(members).readableText
    }
}
