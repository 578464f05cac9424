import Substrate

extension UpdateRules {
    /// Types follow the general verifier alone.
    ///
    /// Source: `signer-product` section 2.4.
    static func judge(
        types hash: Hash256, signedBy signer: MultiSigner?, by state: TrustState
    ) throws(UpdateRefusal) -> UpdateOutcome {
        let isKnown = state.types == hash
        var outcome = UpdateOutcome(from: state)
        switch (state.general, signer) {
        case (nil, nil):
            guard !isKnown else { throw .typesKnown }
            outcome.warn(.typesNotVerified)
            outcome.warn(.updatingTypes)
            outcome.put(types: hash)
        case (let general?, nil): throw .needGeneralVerifier(.types, general)
        case (nil, let signer?):
            outcome.holdAll(for: signer, before: state)
            outcome.put(types: hash)
            outcome.warn(isKnown ? .typesAlreadyThere : .updatingTypes)
        case (let general?, let signer?):
            guard general == signer else { throw .generalVerifierChanged(.types, known: general, signer: signer) }
            guard !isKnown else { throw .typesKnown }
            outcome.warn(.updatingTypes)
            outcome.put(types: hash)
        }
        return outcome
    }
}
