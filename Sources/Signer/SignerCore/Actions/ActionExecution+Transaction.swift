import Navigator
import Signer
import Substrate
import TextForms

/// What was scanned: reading it, and taking in what is not signed.
extension ActionExecution {
    /// Reads the payload. What cannot be read is shown as such, and nothing follows from it.
    func parse() throws {
        guard let payload = Hex.decode(data), !payload.isEmpty else { return try refuse([], CoreError.notHex) }
        do {
            // Before anything is shown: where nobody vouches, what is on the screen may not be true.
            try host.checkProgram(for: vault())
            state.transaction = PendingTransaction(proposal: try vault().propose(payload))
        } catch let error as RefusedPayload {
            try refuse(payload, error)
        }
    }

    /// Shows why, and keeps an update that others may take by a word of this vault.
    private func refuse(_ payload: [UInt8], _ error: any Error) throws {
        state.transaction = PendingTransaction(
            refusal: CoreFailure(error), refusedContent: try vault().publishable(payload))
        // What waited before is gone, as what was read would have taken its place.
        try vault().dropPending()
    }

    /// What waits, with the proposal that it came of.
    func pending() throws -> (transaction: PendingTransaction, proposal: Proposal) {
        guard let transaction = state.transaction, let proposal = transaction.proposal else {
            throw CoreError.notPending
        }
        return (transaction, proposal)
    }

    // MARK: Updates

    func takesUpdate() -> Bool {
        succeeds { try vault().acceptUpdate(pending().proposal) }
    }

    /// The network that the update was about is shown next.
    func takeUpdate() {
        guard case .update(let preview)? = state.transaction?.proposal?.answer.action else { return }
        switch preview.content {
        case .network(let specs): state.shownNetwork = specs.key
        case .metadata(let facts):
            state.shownNetwork = try? vault().networks().first { $0.genesisHash == facts.genesisHash }?.key
        case .types: break
        }
    }

    // MARK: Keys

    /// Makes the keys of derivations below a seed, or takes over those of a seed that is here.
    func imports() -> Bool {
        succeeds {
            let proposal = try pending().proposal
            switch proposal.answer.action {
            case .importDerivations: _ = try vault().importDerivations(proposal)
            case .importPaths(let preview):
                guard seedIsKnown() else { throw failure ?? CoreError.noSeedChosen }
                try checkPhrases(of: [data])
                try vault().importPaths(proposal, belowSeed: data)
                // The keys that were made are shown next.
                (state.seed, state.network, state.specialty) = (data, preview.network.key, .none)
            default: throw CoreError.notPending
            }
        }
    }

    func sharesDerivations() -> Bool {
        succeeds {
            let answer = try vault().shareDerivations(pending().proposal)
            state.transaction?.answer = CodeData(moving: answer.payload)
        }
    }
}
