extension Vault {
    /// What a payload asks for, to look at. Writes nothing; ``propose(_:)`` is for what may be accepted.
    ///
    /// Seeds are opened only for a payload about keys that must be derived to be shown.
    ///
    /// - Throws: ``RefusedPayload`` if nothing of it can be shown, ``SignerError`` for damage.
    public func process(_ payload: [UInt8]) throws -> Answer { try read(payload).0 }

    /// Reads a payload for a decision. Where something may follow, it waits as the one pending item, in place of any
    /// other.
    ///
    /// - Throws: as ``process(_:)``.
    public func propose(_ payload: [UInt8]) throws -> Proposal {
        let (answer, state) = try read(payload)
        var proposal = Proposal(answer: answer, itemID: nil, payload: payload)
        if !answer.isReadOnly {
            proposal.itemID = try database.write { try $0.setPending(payload, shownWith: state) }
        }
        return proposal
    }

    /// - Returns: also the digest of the state that the answer holds for.
    private func read(_ payload: [UInt8]) throws -> (Answer, state: [UInt8]) {
        if key?.isConfirmed ?? !(seeds is NoSeeds) { return try read(payload, phrases: OpenPhrases(seeds)) }
        do {
            return try read(payload, phrases: nil)
        } catch let refused as RefusedPayload where refused.needsSeed {
            guard let key else { throw refused }
            try key.confirm()
            return try read(payload, phrases: OpenPhrases(seeds))
        }
    }

    private func read(_ payload: [UInt8], phrases: OpenPhrases?) throws -> (Answer, state: [UInt8]) {
        let snapshot = try database.read { trees in
            // In the same transaction: what is shown is read from what was compared.
            try trees.checkPublicTrees()
            return try TreesSnapshot(trees)
        }
        let answer = try PayloadProcessor(
            trees: snapshot, cache: metadataCache, phrases: phrases, expander: metadataExpander
        )
        .process(payload)
        return (answer, snapshot.state)
    }
}

extension RefusedPayload {
    /// Whether a seed of this vault, once opened, may change the answer.
    fileprivate var needsSeed: Bool {
        switch self {
        case .noSeedFound(_, seed: .some): true
        case .bulkMember(_, let refused): refused.needsSeed
        default: false
        }
    }
}
