import SCALE
import SecretMemory
import Substrate
import TextForms

extension Vault {
    /// Characters of a comment at the most.
    package static let commentLimit = 1024

    /// Drops what is waiting; also while the vault is locked.
    public func dropPending() throws {
        guard try database.readPublic({ try $0.count(.transaction) }) > 0 else { return }
        try database.writePublic { try $0.removeAll(.transaction) }
    }

    /// Runs `body`, which acts on a proposal; whatever stops it leaves nothing pending.
    package func orDropPending<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            // Where that is not taken either, opening the vault drops it; this error is the one to be told.
            try? dropPending()
            throw error
        }
    }

    /// Signs what was shown (`signer-product` section 7.2). The entry of the log is on disk before this returns.
    ///
    /// - Parameters:
    ///   - proposal: what was shown; a wrong password binds it to the vault's new state.
    ///   - passwords: of keys that have one.
    ///   - confirmations: what the person typed for the dangers that were shown; one text for each of
    ///     ``Answer/confirmations``.
    ///   - comment: kept in the log; as for ``addComment(_:)``, or empty.
    /// - Throws: ``SignerError/notToBeSigned`` for an answer without requests; ``SignerError/checksumMismatch`` if
    ///   anything changed since; ``SignerError/commentTooLong(limit:)`` and ``SignerError/commentInvalid``;
    ///   ``SignerError/wrongPassword(attemptsLeft:)``, after which the same call may be made again until no attempt is
    ///   left.
    public func sign(
        _ proposal: inout Proposal, passwords: [MultiSigner: SecretBytes] = [:],
        confirmations: [String] = [], comment: String
    ) throws -> SignedAnswer {
        try Self.checkComment(comment)
        let answer = proposal.answer
        guard !answer.requests.isEmpty else { throw SignerError.notToBeSigned }
        key?.forgetVerdict()
        try key?.confirm()
        let pending = try checkedPending(proposal)
        let phrases = OpenPhrases(seeds)
        guard answer.confirmations.missing(from: confirmations).isEmpty else {
            throw SignerError.riskNotConfirmed
        }
        var signatures: [MultiSignature] = []
        for request in answer.requests {
            let mnemonic = try phrases.phrase(named: request.key.details.seedName)
            let password = request.needsPassword ? passwords[request.key.signer] : nil
            let pair = try Self.derive(
                mnemonic, path: Self.path(request.key.details.path), password: password, scheme: request.scheme)
            guard pair.multiSigner == request.key.signer else {
                guard request.needsPassword else {
                    throw SignerError.seedPhraseMismatch(seed: request.key.details.seedName)
                }
                throw try countWrongPassword(for: pending, in: request, comment: comment, proposal: &proposal)
            }
            signatures.append(try Self.signature(request, by: pair))
        }
        // The validator looked on while the seeds were open: what it has to say is heard before a signature leaves.
        try key?.confirmVouched()
        try release(answer.requests, comment: comment)
        return SignedAnswer(signatures: signatures, isMessage: answer.requests[0].isMessage)
    }

    /// What is pending, if it is what was shown and nothing has changed since.
    @discardableResult
    func checkedPending(_ proposal: Proposal) throws -> PendingItem {
        guard let itemID = proposal.itemID,
            let (pending, state) = try database.read({ trees in
                try trees.pendingItem().map { ($0, try trees.stateDigest()) }
            })
        else { throw SignerError.nothingPending }
        guard pending.itemID == itemID, StateDigest.item(state: state, payload: proposal.payload) == itemID else {
            try dropPending()
            throw SignerError.checksumMismatch
        }
        return pending
    }

    private static func signature(_ request: SignRequest, by pair: KeyPair) throws -> MultiSignature {
        let bytes: [UInt8] =
            switch request.content {
            case .transaction(let signable, _): SigningPayload.message(for: signable)
            case .message(let message): message
            }
        let signature: [UInt8]
        do throws(KeyError) { signature = try pair.sign(bytes) } catch { throw SignerError.key(error) }
        guard let answer = MultiSignature(scheme: request.scheme, signature: signature) else {
            throw SignerError.key(.faultDuringSigning)
        }
        return answer
    }

    /// Writes the log and drops what was pending: from now on the signatures may leave.
    private func release(_ requests: [SignRequest], comment: String) throws {
        try database.write { trees in
            try trees.removeAll(.transaction)
            try HistoryLog.append(
                requests.map { event($0, comment: comment, failed: false) }, at: now(), to: trees)
        }
    }

    /// Logs the failure and binds the item to the new state, or drops it after the third.
    func countWrongPassword(
        for pending: PendingItem, in request: SignRequest, comment: String, proposal: inout Proposal
    ) throws -> SignerError {
        let attempts = pending.attempts + 1
        proposal.itemID = try database.write { trees in
            try HistoryLog.append([event(request, comment: comment, failed: true)], at: now(), to: trees)
            guard attempts < PendingItem.attemptLimit else {
                try trees.removeAll(.transaction)
                return nil
            }
            return try trees.setPending(pending.payload, attempts: attempts)
        }
        return .wrongPassword(attemptsLeft: Int(PendingItem.attemptLimit - min(attempts, PendingItem.attemptLimit)))
    }

    private func event(_ request: SignRequest, comment: String, failed: Bool) -> Event {
        let signer = VerifierValue(request.key.signer)
        let network = request.network?.name ?? "Any network"
        switch request.content {
        case .transaction(_, let logged):
            let record = Event.SigningRecord(
                transaction: logged, networkName: network, signedBy: signer, comment: comment)
            return failed ? .transactionSignError(record) : .transactionSigned(record)
        case .message(let message):
            let record = Event.MessageRecord(
                message: Hex.encode(message), networkName: network, signedBy: signer, comment: comment)
            return failed ? .messageSignError(record) : .messageSigned(record)
        }
    }
}
