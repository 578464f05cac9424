import Substrate

/// Why a transaction is not made of what a dapp or wallet has. Nothing was written.
public enum SignerPayloadError: Error, Sendable {
    /// The text is no `SignerPayloadJSON`.
    case malformed(reason: String)
    /// A member is missing.
    case missing(String)
    /// A member cannot be used.
    case unusable(String, reason: String)
    /// A member has no meaning here.
    case unknownMember(String)
    /// No network with the genesis is stored.
    case unknownGenesis(String)
    /// The transaction is for a version of the runtime of which no metadata are stored.
    case otherVersion(network: String, wanted: UInt32, stored: [UInt32])
    /// The runtime of that version has another transaction version.
    case otherTransactionVersion(expected: UInt32, found: UInt32)
    /// Metadata 12 and 13 do not tell how transactions are made.
    case oldMetadata(formatVersion: UInt8)
    /// The extensions are not those of the metadata.
    case otherExtensions(expected: [String], found: [String])
    /// Nothing is known of what an extension adds.
    case unknownExtension(String)
    /// A fee is to be paid in an asset, and the chain has no extension for it.
    case assetNotTaken
    /// The metadata hash is asked for, and the chain has no extension for it.
    case metadataHashNotTaken
    /// The metadata hash is not the one of the stored metadata.
    case metadataHashDiffers(expected: String, found: String)
    /// The chain checks the metadata hash, and the sender has left it out and lets nobody add it.
    case metadataHashMissing
    /// The metadata cannot be made into a tree.
    case noProof(MerkleizationError)
    /// Metadata 14 give no metadata hash that is sure to be the chain's.
    case proofNeedsNewerMetadata(name: String)
    /// The call or the extensions are not made by the metadata.
    case doesNotDecode(DecodingError)
    /// The scheme does not go with the address.
    case schemeDoesNotFit(SignatureScheme)
    /// The public key is missing, or not the account's.
    case publicKey(reason: String)
    /// What the vault has shown is no signature of one transaction.
    case answerMalformed
    /// The signature is by another scheme.
    case answerOfOtherScheme
    /// The signature is not the account's for this transaction.
    case badSignature
    /// The chain writes accounts or signatures in a form that is not known.
    case formNotKnown(String)

    /// The stable name of the error.
    public var code: String {
        switch self {
        case .malformed: "PayloadMalformed"
        case .missing: "MemberMissing"
        case .unusable: "MemberUnusable"
        case .unknownMember: "MemberUnknown"
        case .unknownGenesis: "UnknownNetwork"
        case .otherVersion: "WrongNetworkVersion"
        case .otherTransactionVersion: "WrongTransactionVersion"
        case .oldMetadata: "OldMetadata"
        case .otherExtensions: "ExtensionsDiffer"
        case .unknownExtension: "ExtensionUnknown"
        case .assetNotTaken: "AssetNotTaken"
        case .metadataHashNotTaken: "MetadataHashNotTaken"
        case .metadataHashDiffers: "MetadataHashMismatch"
        case .metadataHashMissing: "MetadataHashMissing"
        case .noProof: "NoProof"
        case .proofNeedsNewerMetadata: "ProofNeedsNewerMetadata"
        case .doesNotDecode: "DoesNotDecode"
        case .schemeDoesNotFit: "SchemeDoesNotFit"
        case .publicKey: "PublicKey"
        case .answerMalformed: "AnswerMalformed"
        case .answerOfOtherScheme: "AnswerOfOtherScheme"
        case .badSignature: "BadSignature"
        case .formNotKnown: "FormNotKnown"
        }
    }
}

extension SignerPayloadError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .malformed(let reason): "This is no SignerPayloadJSON: \(reason)."
        case .missing(let name): "The payload has no \(name)."
        case .unusable(let name, let reason): "The payload's \(name) cannot be used: \(reason)."
        case .unknownMember(let name):
            "The payload has a member \(name), whose meaning is not known; what it stands for would be left out of what is signed."
        case .unknownGenesis(let genesis):
            "No network with the genesis \(genesis) is in the database. Add it with: generate-message add-specs -p -u URL --encryption SCHEME"
        case .otherVersion(let network, let wanted, let stored):
            "The transaction is for \(network) of version \(wanted); stored are \(stored.isEmpty ? "no metadata" : stored.map { String($0) }.joined(separator: ", ")). "
                + (stored.contains { $0 > wanted }
                    ? "Make the transaction anew: the wallet's page is older than the chain."
                    : "Fetch newer metadata with: generate-message load-metadata -k -n \(network)")
        case .otherTransactionVersion(let expected, let found):
            "The transaction is of transaction version \(found), and the runtime has \(expected)."
        case .oldMetadata(let format):
            "Metadata \(format) do not tell how transactions are made; version 14 or newer is needed."
        case .otherExtensions(let expected, let found):
            "The payload's extensions are not the chain's: \(found.joined(separator: ", ")); the chain has \(expected.joined(separator: ", "))."
        case .unknownExtension(let name): "The chain has an extension \(name), and what it adds is not known here."
        case .assetNotTaken: "The fee is to be paid in an asset, and the chain takes none."
        case .metadataHashNotTaken:
            "The payload asks the chain to check the metadata hash, and the chain does not do that."
        case .metadataHashDiffers(let expected, let found):
            "The payload's metadata hash \(found) is not that of the stored metadata, \(expected). The chain would take one of them. Fetch "
                + "the metadata from a node that you trust."
        case .metadataHashMissing:
            "The payload asks the chain to check the metadata hash and does not give it, and nobody may add it (withSignedTransaction)."
        case .noProof(let error): "No metadata proof can be made: \(error)."
        case .proofNeedsNewerMetadata(let name):
            "The chain checks the metadata hash, which comes from metadata 15 or 16. Fetch them with: generate-message load-metadata -k -n "
                + "\(name) --metadata-format 15. Or have the vault use its own metadata: --no-proof"
        case .doesNotDecode(let error): "The transaction is not made by the stored metadata: \(error)."
        case .schemeDoesNotFit(let scheme):
            "An address of this form has no \(scheme.name) key. Choose another --encryption."
        case .publicKey(let reason): "The public key cannot be used: \(reason)."
        case .answerMalformed:
            "This is no answer of a vault to one transaction: 130 or 132 hex digits."
        case .answerOfOtherScheme:
            "The signature is by another scheme than the account's. Choose the right one with --encryption."
        case .badSignature: "The signature is not this account's for this transaction. Nothing was written."
        case .formNotKnown(let what): "The chain's form of \(what) is not known here."
        }
    }
}
