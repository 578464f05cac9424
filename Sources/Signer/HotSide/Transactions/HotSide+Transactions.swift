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
    /// - Throws: ``NodeError``.
    public func submit(
        _ extrinsic: [UInt8], to url: NodeURL, genesis: Hash256, isFollowed: Bool,
        report: @Sendable (SubmissionStep) -> Void
    ) async throws -> SubmissionStep {
        try await nodes.withNode(at: url) { node in
            try await node.check(genesis: genesis)
            let text = JSON.string("0x" + Hex.encode(extrinsic))
            guard isFollowed, url.transport == .webSocket else {
                let hash = try await node.call("author_submitExtrinsic", [text])
                let step = SubmissionStep.accepted(hash: hash.string ?? "")
                report(step)
                return step
            }
            let subscription = try await node.call("author_submitAndWatchExtrinsic", [text])
            while let status = try await node.notification(of: subscription) {
                let step = try SubmissionStep(status)
                report(step)
                if case .finalized = step { return step }
            }
            throw NodeError.closed(url: url.text)
        }
    }
}

/// How far a transaction has come.
public enum SubmissionStep: Hashable, Sendable {
    /// The node has it, and says no more.
    case accepted(hash: String)
    /// It waits with the node, as the node calls it.
    case waiting(String)
    /// It is in a block, which may still go.
    case inBlock(hash: String)
    /// It is in a block that stays.
    case finalized(hash: String)

    /// Reads a `TransactionStatus`.
    init(_ status: JSON) throws(NodeError) {
        if let hash = status["finalized"]?.string {
            self = .finalized(hash: hash)
        } else if let hash = status["inBlock"]?.string {
            self = .inBlock(hash: hash)
        } else if let word = status.string, ["future", "ready"].contains(word) {
            self = .waiting(word)
        } else if status["broadcast"] != nil {
            self = .waiting("broadcast")
        } else if status["retracted"] != nil {
            self = .waiting("retracted")
        } else {
            throw .transactionDropped(status: String((status.string ?? status.text()).prefix(80)))
        }
    }
}
