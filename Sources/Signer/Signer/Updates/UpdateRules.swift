import Substrate

/// Judges updates: small rules, each of which has nothing to say or refuses with a reason, and then the table of
/// verifiers. Nothing is written here.
///
///     let outcome = try UpdateRules.judge(update, by: state)
///
/// Source: `signer-product` section 2.
package enum UpdateRules {
    /// How many networks a vault keeps: their order is a byte.
    static let networkLimit = 255

    /// - Parameters:
    ///   - update: decoded, its signature verified.
    ///   - state: what the vault holds.
    package static func judge(_ update: Update, by state: TrustState) throws(UpdateRefusal) -> UpdateOutcome {
        switch update.content {
        case .specs(let specs): try judge(specs, signedBy: update.signer, by: state)
        case .metadata(let metadata): try judge(metadata, signedBy: update.signer, by: state)
        case .types(let hash): try judge(types: hash, signedBy: update.signer, by: state)
        }
    }

    /// A rule about something that comes for a network: why it is refused, or nil.
    typealias Rule<Subject> = @Sendable (Subject, TrustState) -> UpdateRefusal?

    static func check<Subject>(
        _ subject: Subject, by state: TrustState, rules: [Rule<Subject>]
    ) throws(UpdateRefusal) {
        for rule in rules {
            if let refusal = rule(subject, state) { throw refusal }
        }
    }
}

extension UpdateOutcome {
    /// Everything that a network received under a weaker verifier goes, before it gets a stronger one.
    ///
    /// Source: `signer-product` section 2.2.
    mutating func hold(_ genesis: Hash256, warning: Warning, verifier: ValidCurrentVerifier) {
        warn(warning)
        let networks = state.networks(of: genesis)
        remove(metadata: networks.first.map { state.versions(of: $0.specs.name) } ?? [])
        remove(networks: Set(networks.map(\.specs.key)))
        set(verifier: verifier, of: genesis)
    }

    /// Everything that was received while there was no general verifier, and that follows it, goes, before there is
    /// one.
    ///
    /// - Parameters:
    ///   - signer: becomes the general verifier.
    ///   - before: what the vault held before the update.
    ///
    /// Source: `signer-product` section 2.2.
    mutating func holdAll(for signer: MultiSigner, before: TrustState) {
        warn(.generalVerifierAppeared)
        let networks = before.networks.filter { before.verifiers[$0.specs.genesisHash] == .valid(.general) }
        remove(metadata: Set(networks.map(\.specs.name)).flatMap { before.versions(of: $0) })
        remove(networks: Set(networks.map(\.specs.key)))
        removeTypes()
        set(general: signer)
    }
}
