import SCALE
import SecretMemory
import Substrate

extension Vault {
    /// Characters of a comment at the most.
    public static let commentLimit = 1024

    /// Stores a payload as the one that waits for a decision, in place of any other.
    ///
    /// - Returns: the id that ``sign(itemID:credential:password:comment:)`` asks for: it binds the payload to the present
    ///   state of the vault.
    public func setPending(_ payload: [UInt8]) throws -> [UInt8] {
        try database.write { try $0.setPending(payload) }
    }

    /// Drops what is waiting.
    public func dropPending() throws {
        guard try database.read({ try $0.count(.transaction) }) > 0 else { return }
        try database.write { try $0.removeAll(.transaction) }
    }

    /// Signs the pending payload (`signer-product` section 7.2). The entry of the log is on disk before this returns.
    ///
    /// - Parameters:
    ///   - itemID: what ``setPending(_:)`` gave for the payload that was shown.
    ///   - password: of a key that has one.
    ///   - comment: kept in the log.
    /// - Throws: ``SignerError/checksumMismatch`` if anything changed since; ``SignerError/wrongPassword(attemptsLeft:)``,
    ///   after which the same call may be made again with ``pendingItemID()`` until no attempt is left.
    public func sign(
        itemID: [UInt8], credential: SecretBytes, password: SecretBytes?, comment: String
    ) throws -> SignedAnswer {
        guard comment.count <= Self.commentLimit else { throw SignerError.commentTooLong(limit: Self.commentLimit) }
        guard let pending = try database.read({ try $0.pendingItem() }) else { throw SignerError.nothingPending }
        let state = try database.read { try StateDigest.state($0) }
        guard pending.itemID == itemID, StateDigest.item(state: state, payload: pending.payload) == itemID else {
            try dropPending()
            throw SignerError.checksumMismatch
        }
        guard case .sign(let request) = try process(pending.payload).action else { throw SignerError.nothingPending }
        let mnemonic = try seeds.mnemonic(named: request.key.details.seedName, credential: credential)
        let scheme = request.network?.scheme ?? request.key.details.scheme
        let pair = try Self.derive(
            mnemonic, Self.path(request.key.details.path), request.needsPassword ? password : nil, scheme)
        guard pair.multiSigner == request.key.signer else {
            guard request.needsPassword else {
                throw SignerError.seedPhraseMismatch(seed: request.key.details.seedName)
            }
            throw try countWrongPassword(pending, request, comment: comment)
        }
        return try release(request, pair, scheme, comment: comment)
    }

    /// The id of what is waiting, which a wrong password has changed.
    public func pendingItemID() throws -> [UInt8]? {
        try database.read { try $0.pendingItem()?.itemID }
    }

    private func release(
        _ request: SignRequest, _ pair: KeyPair, _ scheme: SignatureScheme, comment: String
    ) throws -> SignedAnswer {
        let bytes: [UInt8]
        let isMessage: Bool
        switch request.content {
        case .transaction(let signable, _): (bytes, isMessage) = (SigningPayload.message(for: signable), false)
        case .message(let message): (bytes, isMessage) = (message, true)
        }
        let signature: [UInt8]
        do throws(KeyError) { signature = try pair.sign(bytes) } catch { throw SignerError.key(error) }
        guard let answer = MultiSignature(scheme: scheme, signature: signature) else {
            throw SignerError.key(.faultDuringSigning)
        }
        try database.write { trees in
            try trees.removeAll(.transaction)
            try HistoryLog.append([event(request, comment: comment, failed: false)], at: now(), to: trees)
        }
        return SignedAnswer(signature: answer, isMessage: isMessage)
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
