import Substrate

extension UpdateRules {
    /// What is asked of a network before its signer matters, in this order.
    ///
    /// Source: `signer-product` section 2.1.
    private static let specsRules: [Rule<NetworkSpecs>] = [
        { specs, _ in specs.fault.map { .specsMalformed($0) } },
        { specs, state in
            state.verifiers[specs.genesisHash] == .dead ? .networkBlocked(genesis: specs.genesisHash) : nil
        },
        { specs, state in
            guard let general = state.general else { return nil }
            let isGeneral = state.verifiers[specs.genesisHash] == .valid(.custom(Verifier(general)))
            return isGeneral ? .customVerifierIsGeneral(genesis: specs.genesisHash) : nil
        },
        { specs, state in
            let isUnexpected =
                state.verifiers[specs.genesisHash] == nil && !state.networks(of: specs.genesisHash).isEmpty
            return isUnexpected ? .unexpectedGenesisHash(specs.genesisHash) : nil
        },
        { specs, state in
            state.networks(of: specs.genesisHash).first { $0.specs.name != specs.name }
                .map { .specsDifferentName(known: $0.specs.name, given: specs.name) }
        },
        { specs, state in
            state.networks(of: specs.genesisHash).first { $0.specs.base58Prefix != specs.base58Prefix }
                .map { .specsDifferentPrefix(known: $0.specs.base58Prefix, given: specs.base58Prefix) }
        },
        { specs, state in
            state.otherNetwork(called: specs.name, than: specs.genesisHash)
                .map { .networkNameTaken(name: specs.name, genesis: $0) }
        },
        { specs, state in
            state.networks.map(\.specs).first(where: specs.looksLike)
                .map { .networkLookalike(title: specs.title, other: $0.title, genesis: $0.genesisHash) }
        },
        { specs, state in
            let isNew = state.network(specs.key) == nil
            return isNew && state.networks.count >= networkLimit ? .tooManyNetworks(limit: networkLimit) : nil
        },
    ]

    /// What the table says of a signer.
    private struct Verdict {
        enum Hold {
            case network(UpdateOutcome.Warning, ValidCurrentVerifier)
            case general
        }

        /// Whether nobody signed.
        var isUnverified = false
        /// What is removed first, in this order.
        var holds: [Hold] = []
        /// The verifier that an unknown network gets.
        var firstVerifier: ValidCurrentVerifier?
        /// Whether the same network once more is told, and not refused.
        var takesSame = false
    }

    static func judge(
        _ specs: NetworkSpecs, signedBy signer: MultiSigner?, by state: TrustState
    ) throws(UpdateRefusal) -> UpdateOutcome {
        try check(specs, by: state, rules: specsRules)
        let verdict = try verdict(on: specs, signedBy: signer, by: state)
        let isSame = try isSame(specs, in: state)
        guard !isSame || verdict.takesSame else { throw .specsKnown(name: specs.name, specs.scheme) }
        var outcome = UpdateOutcome(from: state)
        if verdict.isUnverified { outcome.warn(.notVerified) }
        for hold in verdict.holds {
            switch hold {
            case .network(let warning, let verifier):
                outcome.hold(specs.genesisHash, warning: warning, verifier: verifier)
            case .general:
                if let signer { outcome.holdAll(for: signer, before: state) }
            }
        }
        if isSame { outcome.warn(.networkSpecsAlreadyThere) }
        outcome.put(specs)
        if let verifier = verdict.firstVerifier {
            if case .custom(let own) = verifier, own.key != nil { outcome.show(.newCustomVerifier) }
            outcome.set(verifier: verifier, of: specs.genesisHash)
        }
        return outcome
    }

    /// The table of section 2.1: the network's verifier, the general one, and who signed.
    private static func verdict(
        on specs: NetworkSpecs, signedBy signer: MultiSigner?, by state: TrustState
    ) throws(UpdateRefusal) -> Verdict {
        let isGeneral = signer != nil && signer == state.general
        switch (state.verifiers[specs.genesisHash], state.general, signer) {
        case (.dead, _, _): throw .networkBlocked(genesis: specs.genesisHash)

        case (nil, _, nil): return Verdict(isUnverified: true, firstVerifier: .custom(.none))
        case (nil, nil, _?): return Verdict(holds: [.general], firstVerifier: .general)
        case (nil, _?, let signer?):
            return Verdict(firstVerifier: isGeneral ? .general : .custom(Verifier(signer)))

        case (.valid(.custom(.none)), _, nil): return Verdict(isUnverified: true)
        case (.valid(.custom(.none)), nil, _?):
            return Verdict(holds: [.network(.verifierGeneralSuper, .general), .general], takesSame: true)
        case (.valid(.custom(.none)), _?, let signer?):
            let hold: Verdict.Hold =
                isGeneral
                ? .network(.verifierChangingToGeneral, .general)
                : .network(.verifierChangingToCustom, .custom(Verifier(signer)))
            return Verdict(holds: [hold], takesSame: true)

        case (.valid(.custom(let own)), _, nil):
            guard let known = own.key else { return Verdict(isUnverified: true) }
            throw .needVerifier(name: specs.name, known)
        case (.valid(.custom(let own)), _, let signer?):
            if isGeneral { return Verdict(holds: [.network(.verifierChangingToGeneral, .general)], takesSame: true) }
            guard let known = own.key, known != signer else { return Verdict() }
            throw .specsVerifierChanged(name: specs.name, known: known, signer: signer)

        case (.valid(.general), nil, nil): return Verdict(isUnverified: true)
        case (.valid(.general), nil, _?): return Verdict(holds: [.general], takesSame: true)
        case (.valid(.general), let general?, nil): throw .needGeneralVerifier(.network, general)
        case (.valid(.general), let general?, let signer?):
            guard isGeneral else { throw .generalVerifierChanged(.network, known: general, signer: signer) }
            return Verdict()
        }
    }

    /// Whether the network is here just so. Names for people, colours and the like may change; what addresses, amounts
    /// and signatures depend on may not.
    private static func isSame(_ specs: NetworkSpecs, in state: TrustState) throws(UpdateRefusal) -> Bool {
        guard let known = state.network(specs.key)?.specs else { return false }
        let isUnchanged =
            known.base58Prefix == specs.base58Prefix && known.decimals == specs.decimals && known.name == specs.name
            && known.unit == specs.unit
        guard isUnchanged else { throw .importantSpecsChanged(name: specs.name) }
        return known == specs
    }
}
