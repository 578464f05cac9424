#if os(Linux)
    import BasicFoundation
    import HardwareKeys
    import Vigil

    /// Writes and signs what a validator says to a remote verifier.
    ///
    /// Source: `vigil` section 9.4.
    struct EvidenceWriter: Sendable {
        private let installation: Installation
        private let key: any SigningKey

        init(_ installation: Installation, _ key: any SigningKey) {
            self.installation = installation
            self.key = key
        }

        func write(_ request: EvidenceRequest, _ facts: SessionFacts) throws(Refusal) -> EvidenceResponse {
            guard let own = PublicKey(x963: key.publicKey) else {
                throw Refusal(.internal, "the validator's own public key is malformed")
            }
            let evidence = Evidence(
                product: installation.manifest.product, epoch: installation.manifest.epoch, audience: request.audience,
                verifierNonce: request.verifierNonce, issuedAt: Date(), appKeyID: facts.app.id,
                validatorKeyID: own.id, appText2: installation.other.hash, validatorText2: installation.own.hash,
                measured: facts.measured, transcript: facts.transcript, appKeyKind: facts.appKind,
                validatorKeyKind: key.kind)
            do throws(HardwareKeyError) { return try evidence.signed(by: key) } catch {
                throw Refusal(.internal, "the validator cannot sign: \(error)")
            }
        }
    }
#endif
