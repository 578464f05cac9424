import SCALE
import TextForms

/// Why a call or its extensions cannot be shown. Codes are those of `signer-wire` section 11; `offset` counts bytes
/// from the start of the array that was handed in.
public enum DecodingError: Error, Hashable, Sendable {
    /// The transaction ends before a value does.
    case dataTooShort(offset: Int)
    /// A compact integer is malformed.
    case noCompact(offset: Int)
    /// Bytes that are no value of a primitive `type`: a bool of 2, text that is not UTF-8.
    case primitiveFailure(type: String, offset: Int)
    /// An option begins with neither 0 nor 1.
    case unexpectedOptionVariant(found: UInt8, offset: Int)
    /// The metadata knows no variant of that index.
    case unexpectedEnumVariant(found: UInt8, offset: Int)
    /// The metadata makes a type compact that cannot be.
    case unexpectedCompactInsides(type: UInt32)
    /// The metadata calls a type a balance that is no unsigned integer.
    case balanceNotDescribed(type: UInt32)
    /// The metadata stores bits in a type that cannot hold them.
    case notBitStoreType(type: UInt32)
    /// The metadata orders bits by a type that is no order.
    case notBitOrderType(type: UInt32)
    /// The metadata refers to a type that it does not hold.
    case typeNotResolved(type: UInt32)
    /// The era is malformed.
    case era(offset: Int)
    /// The metadata has no pallet of that index.
    case palletNotFound(index: UInt8)
    /// The pallet has no calls.
    case noCallsInPallet(name: String)
    /// Bytes are left over behind the call.
    case someDataNotUsedMethod(offset: Int, count: Int)
    /// A call inside another says that it is `stated` bytes long, and is not.
    case wrappedCallLength(offset: Int, stated: String, found: Int)
    /// Bytes are left over behind the extensions.
    case someDataNotUsedExtensions(offset: Int, count: Int)
    /// The genesis hash is another network's.
    case genesisHashMismatch(offset: Int)
    /// An immortal transaction names another block than the genesis.
    case immortalHashMismatch
    /// The transaction was made for another version than the metadata's.
    case wrongNetworkVersion(decoded: UInt128, metadata: UInt32)
    /// The extensions hold no era.
    case noEra
    /// The extensions hold no block hash.
    case noBlockHash
    /// The extensions hold no spec version.
    case noVersionExt
    /// The extensions hold no genesis hash.
    case noGenesisHash
    /// The extensions hold two eras.
    case eraTwice
    /// The extensions hold two block hashes.
    case blockHashTwice
    /// The extensions hold two genesis hashes.
    case genesisHashTwice
    /// The extensions hold two spec versions.
    case specVersionTwice
    /// More types stand inside each other than ``DecodingLimits`` allows.
    case tooDeep(offset: Int)
    /// It has more cards than ``DecodingLimits/cards``.
    case tooManyCards(offset: Int)
    /// More than ``TransactionEffects/depthLimit`` calls stand around each other.
    case callsTooDeep
    /// More than ``TransactionEffects/leafLimit`` calls do something.
    case tooManyCalls
    /// The proof has no leaf for the type, or for the variant of it that the bytes name.
    case typeNotInProof(type: UInt32)
    /// The extensions do not say whether the metadata hash is checked.
    case checkMetadataHashModeExpected
    /// A metadata hash, or none, should stand there.
    case metadataHashExpected(offset: Int)
    /// A block hash should stand there.
    case blockHashExpected(offset: Int)
    /// A genesis hash should stand there.
    case genesisHashExpected(offset: Int)
    /// The wallet switched the check of the metadata hash off.
    case metadataHashDisabled
    /// No metadata hash is signed.
    case metadataHashMissing
    /// Something is signed behind the metadata hash, so the chain may read the bytes otherwise and never compare it.
    case metadataHashNotLast
    /// The metadata proof and the stored metadata of the same version disagree.
    case proofDiffersFromStored(version: UInt32, ProofDifference)
    /// The metadata hash that would be signed is not that of the proof or of the stored metadata.
    case metadataHashMismatch(signed: Hash256, computed: Hash256)
    /// The stored metadata have no hash, so the one to be signed cannot be compared.
    case metadataNotMerkleizable(MerkleizationError)
    /// The length in front of the call is malformed or beyond the end.
    case separateMethodExtensions
    /// The proof does not hang together, so it has no hash.
    case metadataProofBroken(MetadataProofError)
    /// An account of 32 bytes on a network whose prefix SS58 cannot express.
    case addressNotExpressible(prefix: UInt16)
    /// Errors of metadata 12 and 13.
    case text(TypeTextError)

    /// The stable name of the error.
    public var code: String {
        switch self {
        case .dataTooShort: "DataTooShort"
        case .noCompact: "NoCompact"
        case .primitiveFailure: "PrimitiveFailure"
        case .unexpectedOptionVariant: "UnexpectedOptionVariant"
        case .unexpectedEnumVariant: "UnexpectedEnumVariant"
        case .unexpectedCompactInsides: "UnexpectedCompactInsides"
        case .balanceNotDescribed: "BalanceNotDescribed"
        case .notBitStoreType: "NotBitStoreType"
        case .notBitOrderType: "NotBitOrderType"
        case .typeNotResolved: "V14TypeNotResolved"
        case .era: "Era"
        case .palletNotFound: "PalletNotFound"
        case .noCallsInPallet: "NoCallsInPallet"
        case .someDataNotUsedMethod, .wrappedCallLength: "SomeDataNotUsedMethod"
        case .someDataNotUsedExtensions: "SomeDataNotUsedExtensions"
        case .genesisHashMismatch: "GenesisHashMismatch"
        case .immortalHashMismatch: "ImmortalHashMismatch"
        case .wrongNetworkVersion: "WrongNetworkVersion"
        case .noEra: "NoEra"
        case .noBlockHash: "NoBlockHash"
        case .noVersionExt: "NoVersionExt"
        case .noGenesisHash: "NoGenesisHash"
        case .eraTwice: "EraTwice"
        case .blockHashTwice: "BlockHashTwice"
        case .genesisHashTwice: "GenesisHashTwice"
        case .specVersionTwice: "SpecVersionTwice"
        case .tooDeep: "TooDeep"
        case .tooManyCards: "TooManyCards"
        case .callsTooDeep: "TooDeep"
        case .tooManyCalls: "TooManyCalls"
        case .typeNotInProof: "TypeNotInProof"
        case .checkMetadataHashModeExpected: "CheckMetadataHashModeExpected"
        case .metadataHashExpected: "MetadataHashExpected"
        case .blockHashExpected: "BlockHashExpected"
        case .genesisHashExpected: "GenesisHashExpected"
        case .metadataHashDisabled: "MetadataHashDisabled"
        case .metadataHashMissing: "MetadataHashMissing"
        case .metadataHashNotLast: "MetadataHashNotLast"
        case .proofDiffersFromStored: "ProofDiffersFromStored"
        case .metadataHashMismatch, .metadataProofBroken, .metadataNotMerkleizable: "MetadataHashMismatch"
        case .separateMethodExtensions: "SeparateMethodExtensions"
        case .addressNotExpressible: "AddressNotExpressible"
        case .text(let error): error.code
        }
    }
}

/// What a metadata proof and stored metadata of the same version disagree in.
public enum ProofDifference: Hashable, Sendable {
    /// Proof and stored metadata have different hashes.
    case digest(proof: Hash256, stored: Hash256)
    /// The stored metadata have no hash to compare.
    case notMerkleizable(MerkleizationError)
    /// Proof and stored metadata show different cards.
    case cards
    /// The stored metadata cannot read what the proof reads.
    indirect case unreadable(DecodingError)
}

extension ProofDifference: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .digest(let proof, let stored): "the hash of the proof is \(proof.hex), of what is stored \(stored.hex)"
        case .notMerkleizable(let error): "what is stored has no hash: \(error)"
        case .cards: "what is stored shows another transaction"
        case .unreadable(let error): "by what is stored the transaction cannot be read: \(error)"
        }
    }
}

extension DecodingError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .dataTooShort(let offset): "at byte \(offset): the transaction ends before the value does"
        case .noCompact(let offset): "at byte \(offset): malformed compact integer"
        case .primitiveFailure(let type, let offset): "at byte \(offset): not a valid \(type)"
        case .unexpectedOptionVariant(let found, let offset):
            "at byte \(offset): an option starts with 0 or 1, found \(found)"
        case .unexpectedEnumVariant(let found, let offset):
            "at byte \(offset): the metadata knows no variant with index \(found) there"
        case .unexpectedCompactInsides(let type): "type \(type) of the metadata cannot be compact"
        case .balanceNotDescribed(let type):
            "type \(type) of the metadata is said to be a balance but is no unsigned integer"
        case .notBitStoreType(let type): "type \(type) of the metadata cannot store bits"
        case .notBitOrderType(let type): "type \(type) of the metadata is not an order of bits"
        case .typeNotResolved(let type): "the metadata refers to type \(type), which it does not hold"
        case .era(let offset): "at byte \(offset): not a valid era"
        case .palletNotFound(let index): "the metadata has no pallet with index \(index)"
        case .noCallsInPallet(let name): "the pallet \(ForeignName.shown(name)) has no calls"
        case .someDataNotUsedMethod(let offset, let count):
            "at byte \(offset): \(count) bytes are left over behind the call"
        case .wrappedCallLength(let offset, let stated, let found):
            "at byte \(offset): a call of \(found) bytes says that it has \(stated), so the chain would read another call"
        case .someDataNotUsedExtensions(let offset, let count):
            "at byte \(offset): \(count) bytes are left over behind the extensions"
        case .genesisHashMismatch(let offset): "at byte \(offset): the genesis hash is another network's"
        case .immortalHashMismatch: "an immortal transaction must name the genesis as its block, this one names another"
        case .wrongNetworkVersion(let decoded, let metadata):
            decoded > UInt128(metadata)
                ? "made for version \(decoded), the metadata is of version \(metadata): get newer metadata by QR"
                : "made for version \(decoded), the metadata is of version \(metadata): reload the wallet that made it"
        case .noEra: "the extensions hold no era"
        case .noBlockHash: "the extensions hold no block hash"
        case .noVersionExt: "the extensions hold no spec version"
        case .noGenesisHash: "the extensions hold no genesis hash"
        case .eraTwice: "the extensions hold two eras"
        case .blockHashTwice: "the extensions hold two block hashes"
        case .genesisHashTwice: "the extensions hold two genesis hashes"
        case .specVersionTwice: "the extensions hold two spec versions"
        case .tooDeep(let offset): "at byte \(offset): more than \(DecodingLimits.typeDepth) types inside each other"
        case .tooManyCards(let offset): "at byte \(offset): more than \(DecodingLimits.cards) cards"
        case .callsTooDeep: "more than \(TransactionEffects.depthLimit) calls inside each other"
        case .tooManyCalls:
            "more than \(TransactionEffects.leafLimit) calls, more than a person can check: split the transaction"
        case .typeNotInProof(let type):
            "the metadata proof does not describe type \(type) as the transaction uses it: it was made for another transaction"
        case .checkMetadataHashModeExpected:
            "the extensions do not say whether the metadata hash is checked, which a metadata proof needs"
        case .metadataHashExpected(let offset): "at byte \(offset): a metadata hash, or none, is expected"
        case .blockHashExpected(let offset): "at byte \(offset): a block hash is expected"
        case .genesisHashExpected(let offset): "at byte \(offset): a genesis hash is expected"
        case .metadataHashDisabled:
            "the check of the metadata hash is switched off, so the chain would accept a transaction that was shown by a lying proof"
        case .metadataHashMissing:
            "no metadata hash is signed, so the chain would accept a transaction that was shown by a lying proof"
        case .metadataHashNotLast:
            "the metadata hash is not the last thing that is signed, so the chain may read other calls than a proof shows and "
                + "never compare the hash: nothing that the proof shows can be trusted"
        case .proofDiffersFromStored(let version, let difference):
            "the metadata proof and the stored metadata of version \(version) disagree: \(difference)"
        case .metadataHashMismatch(let signed, let computed):
            "the metadata hash to be signed is \(signed.hex), what this was shown with has \(computed.hex): the chain would refuse "
                + "the signature, or somebody lies about the chain"
        case .metadataNotMerkleizable(let error): "the metadata hash to be signed cannot be compared: \(error)"
        case .separateMethodExtensions:
            "the length of the call is wrong, so the payload cannot be taken apart: scan the whole code again"
        case .metadataProofBroken(let error): "the metadata proof does not hang together: \(error)"
        case .addressNotExpressible(let prefix):
            "the network's prefix \(prefix) has no SS58 form; correct the network record"
        case .text(let error): error.description
        }
    }
}

/// Bounds of decoding (`signer-wire` section 13).
public enum DecodingLimits {
    /// How many types may stand inside each other.
    package static let typeDepth = 128
    /// Cards of one transaction; an item that takes up no byte counts as one.
    public static let cards = 20_000
}
