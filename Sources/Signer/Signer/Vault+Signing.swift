import SCALE
import SecretMemory
import Substrate
import TextForms

extension Vault {
    /// Characters of a comment at the most.
    public static let commentLimit = 1024

    /// Stores a payload as the one that waits for a decision, in place of any other.
    ///
    /// - Returns: the id that ``sign(itemID:passwords:confirmations:comment:)`` asks for: it binds the payload to the present
    ///   state of the vault.
    public func setPending(_ payload: [UInt8]) throws -> [UInt8] {
        try database.write { try $0.setPending(payload) }
    }

    /// Drops what is waiting; also while the vault is locked.
    public func dropPending() throws {
        guard try database.readPublic({ try $0.count(.transaction) }) > 0 else { return }
        try database.writePublic { try $0.removeAll(.transaction) }
    }

    /// Signs the pending payload (`signer-product` section 7.2). The entry of the log is on disk before this returns.
    ///
    /// - Parameters:
    ///   - itemID: what ``setPending(_:)`` gave for the payload that was shown.
    ///   - passwords: of keys that have one.
    ///   - confirmations: what the person typed for the dangers that were shown; one text for each of ``Answer/confirmations``.
    ///   - comment: kept in the log.
    /// - Throws: ``SignerError/checksumMismatch`` if anything changed since; ``SignerError/wrongPassword(attemptsLeft:)``,
    ///   after which the same call may be made again with ``pendingItemID()`` until no attempt is left.
    public func sign(
        itemID: [UInt8], passwords: [MultiSigner: SecretBytes] = [:],
        confirmations: [String] = [], comment: String
    ) throws -> SignedAnswer {
        guard comment.count <= Self.commentLimit else { throw SignerError.commentTooLong(limit: Self.commentLimit) }
        key?.forgetVerdict()
        try key?.confirm()
        let pending = try checkedPending(itemID)
        let phrases = OpenPhrases(seeds)
        let answer = try process(pending.payload, phrases: phrases)
        guard !answer.requests.isEmpty else { throw SignerError.nothingPending }
        guard answer.confirmations.missing(from: confirmations).isEmpty else {
            throw SignerError.riskNotConfirmed
        }
        var signatures: [MultiSignature] = []
        for request in answer.requests {
            let mnemonic = try phrases.phrase(named: request.key.details.seedName)
            let scheme = request.network?.scheme ?? request.key.details.scheme
            let password = request.needsPassword ? passwords[request.key.signer] : nil
            let pair = try Self.derive(mnemonic, Self.path(request.key.details.path), password, scheme)
            guard pair.multiSigner == request.key.signer else {
                guard request.needsPassword else {
                    throw SignerError.seedPhraseMismatch(seed: request.key.details.seedName)
                }
                throw try countWrongPassword(pending, request, comment: comment)
            }
            signatures.append(try Self.signature(request, pair, scheme))
        }
        // The validator looked on while the seeds were open: what it has to say is heard before a signature leaves.
        try key?.confirmVouched()
        try release(answer.requests, comment: comment)
        return SignedAnswer(signatures: signatures, isMessage: answer.requests[0].isMessage)
    }

    /// What is pending, if it is what was shown and nothing has changed since.
    private func checkedPending(_ itemID: [UInt8]) throws -> PendingItem {
        guard let pending = try database.read({ try $0.pendingItem() }) else { throw SignerError.nothingPending }
        let state = try database.read { try StateDigest.state($0) }
        guard pending.itemID == itemID, StateDigest.item(state: state, payload: pending.payload) == itemID else {
            try dropPending()
            throw SignerError.checksumMismatch
        }
        return pending
    }

    /// The id of what is waiting, which a wrong password has changed.
    public func pendingItemID() throws -> [UInt8]? {
        try database.read { try $0.pendingItem()?.itemID }
    }

    private static func signature(
        _ request: SignRequest, _ pair: KeyPair, _ scheme: SignatureScheme
    ) throws -> MultiSignature {
        let bytes: [UInt8] =
            switch request.content {
            case .transaction(let signable, _): SigningPayload.message(for: signable)
            case .message(let message): message
            }
        let signature: [UInt8]
        do throws(KeyError) { signature = try pair.sign(bytes) } catch { throw SignerError.key(error) }
        guard let answer = MultiSignature(scheme: scheme, signature: signature) else {
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
    private func countWrongPassword(
        _ pending: PendingItem, _ request: SignRequest, comment: String
    ) throws -> SignerError {
        let attempts = pending.attempts + 1
        try database.write { trees in
            try HistoryLog.append([event(request, comment: comment, failed: true)], at: now(), to: trees)
            if attempts < PendingItem.attemptLimit {
                try trees.setPending(pending.payload, attempts: attempts)
            } else {
                try trees.removeAll(.transaction)
            }
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
