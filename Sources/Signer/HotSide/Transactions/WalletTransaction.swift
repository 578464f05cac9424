import Airgap
import SCALE
import Substrate
import TextForms

/// A transaction between a wallet and a vault: the request that the vault reads, and the transaction that the chain
/// takes once the vault has signed.
///
///     let transaction = try hot.transaction(payload, by: account, proof: .whereChecked)
///     show(transaction.request)
///     let extrinsic = try transaction.extrinsic(answer: scanned)
///
/// Source: `signer-wire` sections 1.3, 1.4 and 2.
public struct WalletTransaction: Sendable {
    /// Whether the vault gets a description of the transaction with it.
    public enum ProofUse: Hashable, Sendable {
        /// Where the chain checks the metadata hash.
        case whereChecked
        /// Never: the vault reads it by metadata of its own.
        case never
    }

    /// What the vault reads.
    public let request: [UInt8]
    /// Whether it holds a metadata proof.
    public let hasProof: Bool
    /// The metadata hash that is signed, if one is.
    public let metadataHash: Hash256?
    /// The network that the transaction is for, and that the account is of.
    public let network: NetworkSpecs
    private let account: WalletAccount
    private let call: [UInt8]
    private let values: ExtensionValues
    private let metadata: RuntimeMetadata

    init(
        _ payload: SignerPayload, by account: WalletAccount, network: NetworkSpecs, metadata: RuntimeMetadata,
        proof: ProofUse
    ) throws(SignerPayloadError) {
        guard payload.transactionVersion == metadata.version.transactionVersion else {
            throw .otherTransactionVersion(
                expected: metadata.version.transactionVersion, found: payload.transactionVersion)
        }
        let plan = try ProofPlan(payload, metadata: metadata, network: network, proof)
        values = try ExtensionValues(payload, metadata, metadataHash: plan.hash)
        (call, metadataHash, self.account, self.network, self.metadata) = (
            payload.method, plan.hash, account, network, metadata
        )
        try Self.check(call: call, values, by: TransactionDecoder(metadata: metadata, network: network))
        var body = ScaleEncoder()
        body.byteSequence(call)
        body.raw(values.included + values.additional)
        body.value(payload.genesisHash)
        let head = [Self.substrateByte, account.scheme.rawValue, PayloadKind.transaction.rawValue]
        let plain = head + account.author + body.bytes
        hasProof = plan.tree != nil
        guard let tree = plan.tree else {
            request = plain
            return
        }
        do throws(MerkleizationError) {
            let proof = try tree.proof(
                call: call, extensions: values.included + values.additional, extraInfo: plan.extraInfo)
            guard case .transaction(let read)? = try? Payload(plain) else { throw .transactionDoesNotFit(offset: 0) }
            request = read.adding(proof: proof)
        } catch {
            throw .noProof(error)
        }
    }

    /// Refuses what the metadata do not describe: a vault would refuse it too, or show it otherwise.
    private static func check(
        call: [UInt8], _ values: ExtensionValues, by decoder: TransactionDecoder
    ) throws(SignerPayloadError) {
        do throws(DecodingError) {
            _ = try decoder.readCall(call)
            _ = try decoder.decodeExtensions(values.included + values.additional)
        } catch {
            throw .doesNotDecode(error)
        }
    }

    /// What is signed: the bytes, or of long ones their hash.
    private var message: [UInt8] { SigningPayload.message(for: call + values.included + values.additional) }

    /// The transaction as it goes to the chain.
    ///
    /// - Parameter answer: what the vault shows: hex of the signature with its kind.
    /// - Throws: ``SignerPayloadError/badSignature`` for the signature of somebody else, or of something else.
    public func extrinsic(answer: String) throws(SignerPayloadError) -> [UInt8] {
        let signature = try signature(answer)
        guard account.hasSigned(message, by: signature.signature) else { throw .badSignature }
        var body = ScaleEncoder()
        body.integer(Self.signedVersion)
        body.raw(try address())
        body.raw(try encoded(signature))
        body.raw(values.included + call)
        var extrinsic = ScaleEncoder()
        extrinsic.byteSequence(body.bytes)
        return extrinsic.bytes
    }

    /// The signature with its kind, as it goes into what polkadot-js calls a `SignerResult`.
    public func signature(_ answer: String) throws(SignerPayloadError) -> MultiSignature {
        guard let bytes = Hex.decode(answer), let signature = try? MultiSignature(scaleEncoded: bytes) else {
            throw .answerMalformed
        }
        guard MultiSignature(scheme: account.scheme, signature: signature.signature) == signature else {
            throw .answerOfOtherScheme
        }
        return signature
    }

    /// The first byte of a request.
    private static let substrateByte: UInt8 = 0x53
    /// The version byte of a signed transaction.
    private static let signedVersion: UInt8 = 0x84

    private func address() throws(SignerPayloadError) -> [UInt8] {
        switch metadata.addressType.map(metadata.valueForm) {
        // `MultiAddress::Id` has the index 0.
        case .variants: return [0] + account.identifier
        case .other: return account.identifier
        default: throw .formNotKnown("accounts")
        }
    }

    private func encoded(_ signature: MultiSignature) throws(SignerPayloadError) -> [UInt8] {
        switch metadata.signatureType.map(metadata.valueForm) {
        case .variants: return signature.scaleEncoded
        // A chain of Ethereum's accounts has one kind of signature.
        case .other where account.scheme == .ethereum: return signature.signature
        default: throw .formNotKnown("signatures")
        }
    }
}

/// Whether a transaction gets a metadata hash and a proof.
private struct ProofPlan {
    let hash: Hash256?
    /// What the proof is cut from; nil for none.
    let tree: MerkleizedMetadata?
    let extraInfo: MetadataExtraInfo

    init(
        _ payload: SignerPayload, metadata: RuntimeMetadata, network: NetworkSpecs, _ use: WalletTransaction.ProofUse
    ) throws(SignerPayloadError) {
        extraInfo = MetadataExtraInfo(metadata, network)
        let isChecked = metadata.extensions.contains {
            $0.identifier == TransactionExtensions.metadataHashIdentifier
        }
        guard isChecked else {
            guard !payload.checksMetadata, payload.metadataHash == nil else { throw .metadataHashNotTaken }
            (hash, tree) = (nil, nil)
            return
        }
        // Whoever gives back the whole transaction may switch the check on.
        guard payload.checksMetadata || payload.mayBeChanged && use == .whereChecked else {
            guard payload.metadataHash == nil else {
                throw .unusable("metadataHash", reason: "mode says that it is not checked")
            }
            (hash, tree) = (nil, nil)
            return
        }
        guard payload.metadataHash != nil || payload.mayBeChanged else { throw .metadataHashMissing }
        guard metadata.formatVersion >= 15 else {
            // Version 14 may number its types otherwise: what it says of the hash proves nothing.
            guard use == .never, let stated = payload.metadataHash else {
                throw .proofNeedsNewerMetadata(name: metadata.specName)
            }
            (hash, tree) = (stated, nil)
            return
        }
        let tree: MerkleizedMetadata
        do { tree = try MerkleizedMetadata(metadata) } catch { throw .noProof(error) }
        let own = tree.digest(extraInfo).hash
        if let stated = payload.metadataHash, stated != own {
            throw .metadataHashDiffers(expected: own.hex, found: stated.hex)
        }
        hash = own
        self.tree = use == .never ? nil : tree
    }
}
