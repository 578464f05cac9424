import StrictJSON
import Substrate
import TextForms

extension HotSide {
    /// Makes a transaction of what a dapp or wallet has, by the stored metadata of its network.
    ///
    /// - Parameters:
    ///   - payload: what is to be signed.
    ///   - account: who is to sign.
    ///   - proof: whether the vault gets a metadata proof.
    public func transaction(
        _ payload: SignerPayload, by account: WalletAccount, proof: WalletTransaction.ProofUse = .whereChecked
    ) throws -> WalletTransaction {
        let (network, stored) = try database.read { trees in
            let known = try trees.addressBook().filter { $0.entry.genesisHash == payload.genesisHash }
            guard let entry = known.first(where: { $0.entry.scheme == account.scheme }) ?? known.first else {
                throw SignerPayloadError.unknownGenesis(payload.genesisHash.hex)
            }
            return (try trees.specs(of: entry.entry), try trees.metadata(of: entry.entry.name))
        }
        guard let metadata = stored.first(where: { $0.key.version == payload.specVersion })?.metadata else {
            throw SignerPayloadError.otherVersion(
                network: network.name, wanted: payload.specVersion, stored: stored.map(\.key.version))
        }
        guard case .registry(let metadata) = metadata else {
            throw SignerPayloadError.oldMetadata(formatVersion: metadata.formatVersion)
        }
        return try WalletTransaction(payload, by: account, network: network, metadata: metadata, proof: proof)
    }

    /// Hands a signed transaction to a node, and follows it.
    ///
    /// - Parameters:
    ///   - extrinsic: with its length.
    ///   - url: of the node.
    ///   - genesis: of the network that the transaction is for.
    ///   - isFollowed: whether it is followed until it is in a block that is final; needs a WebSocket.
    ///   - report: is told of each step.
    /// - Returns: the last step.
    /// - Throws: ``HotSideError/notSupported(reason:)`` where it cannot be followed there, with nothing sent;
    ///   ``NodeError``. ``NodeError/transactionUncertain(hash:last:reason:)`` and
    ///   ``NodeError/transactionDropped(hash:status:)``, once the node may have it.
    public func submit(
        _ extrinsic: [UInt8], to url: NodeURL, genesis: Hash256, isFollowed: Bool,
        report: @Sendable (SubmissionStep) -> Void
    ) async throws -> SubmissionStep {
        guard !isFollowed || url.transport == .webSocket else {
            throw HotSideError.notSupported(
                reason: "a transaction is followed over wss:// or ws://. Name such an address, or do not follow it")
        }
        return try await nodes.withNode(at: url) { node in
            try await node.check(genesis: genesis)
            let text = JSON.string("0x" + Hex.encode(extrinsic))
            let hash = "0x" + Blake2b.hash256(extrinsic).hex
            var last: SubmissionStep?
            do {
                guard isFollowed else {
                    let method = "author_submitExtrinsic"
                    guard let answer = try await node.call(method, [text]).string else {
                        throw NodeError.malformedAnswer(method: method, reason: "it is no hash")
                    }
                    guard try SubmissionStep.hash(answer, from: method) == hash else {
                        throw NodeError.malformedAnswer(method: method, reason: "it is another transaction's hash")
                    }
                    let step = SubmissionStep.accepted(hash: hash)
                    report(step)
                    return step
                }
                let subscription = try await node.call("author_submitAndWatchExtrinsic", [text])
                while let status = try await node.notification(of: subscription) {
                    let step = try SubmissionStep(status, of: hash)
                    report(step)
                    if step.isLast { return step }
                    last = step
                }
                throw NodeError.closed(url: url.text)
            } catch {
                throw Self.afterHandingOver(error, hash: hash, last: last)
            }
        }
    }

    /// Codes of nodes that refuse what they have: banned for a while, as what was in a block is, and imported before.
    ///
    /// Source: `sc-rpc-api`, `author/error.rs`.
    private static let refusalsOfKnown = [1012, 1013]

    /// What an error means for a transaction that the node was given: unless it says no, it may have passed it on.
    private static func afterHandingOver(_ error: any Error, hash: String, last: SubmissionStep?) -> any Error {
        switch error as? NodeError {
        case .refused(_, let code, _)? where !refusalsOfKnown.contains(code): error
        case .timedOut(_, _, .connection)?, .transactionDropped?: error
        case .closed(let url)?:
            NodeError.transactionUncertain(hash: hash, last: last, reason: "\(url) ended the connection")
        case .timedOut(let url, let seconds, .answer)?:
            NodeError.transactionUncertain(hash: hash, last: last, reason: "\(url) said nothing for \(seconds) seconds")
        default: NodeError.transactionUncertain(hash: hash, last: last, reason: "\(error)".droppingFullStop)
        }
    }
}

extension String {
    fileprivate var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
