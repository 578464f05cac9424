/// What a ``Card`` says: the whole table of `signer-wire` section 6.1.
///
/// What is large and stands in few answers is kept elsewhere (`indirect`), so that the many small cards stay small.
public enum CardKind: Hashable, Sendable {
    /// The pallet of a call.
    case pallet(name: String)
    /// The method of a call, with its documentation.
    case method(name: String, docs: Documentation)
    /// An argument of a call described by metadata 12 or 13.
    case varname(String)
    /// A number, `true` or `false`, a char, or the empty text of an empty sequence.
    case `default`(String)
    /// Text that came as text.
    case text(String)
    /// - Parameter text: the bytes as text when they are valid UTF-8 without control characters, else nil.
    case bytes([UInt8], text: String?)
    /// An account.
    case id(AccountAddress)
    /// An option that holds nothing.
    case none
    /// A bit of a set of identity fields, by its name.
    case identityField(String)
    /// `0` and `1`, first bit first.
    case bitvec(String)
    /// An amount in the network's unit.
    case balance(Amount)
    /// The name of a field, whose value follows.
    case fieldName(FieldName)
    /// The number of a field without a name, whose value follows.
    case fieldNumber(FieldNumber)
    /// The variant of an enumeration.
    case enumVariantName(name: String, docs: Documentation)
    /// The transaction is valid for ever.
    case eraImmortal
    /// The blocks in which the transaction is valid.
    case eraMortal(phase: UInt64, period: UInt64)
    /// How many transactions the author sent before.
    case nonce(String)
    /// The block from which on a mortal transaction is valid.
    case blockHash(Hash256)
    /// What the author gives to whoever includes the transaction.
    case tip(Amount)
    /// The runtime that the transaction was made for.
    case nameVersion(name: String, version: String)
    /// The version of the transaction's format.
    case txSpec(String)
    /// The key that signs, with what the vault knows of it.
    indirect case author(AuthorInfo)
    /// The key that signs, which the vault does not have.
    case authorPlain(AccountAddress)
    /// Who signed an update.
    case verifier(VerifierInfo)
    /// The metadata of an update.
    case meta(MetadataInfo)
    /// The types of an update.
    case typesInfo(TypesInfo)
    /// The network of an update.
    indirect case newSpecs(NetworkSpecs)
    /// The network that a payload is for.
    indirect case networkInfo(title: String, logo: String, key: NetworkKey)
    /// Keys that an import would add.
    case derivations([DerivationsPreview])
    /// What a person should know before going on.
    case warning(CardWarning)
    /// Why the rest cannot be shown.
    case error(CardError)

    /// The kind's name in files and over the wire, as `enum_variant_name`.
    package var name: String {
        switch self {
        case .pallet: "pallet"
        case .method: "method"
        case .varname: "varname"
        case .default: "default"
        case .text: "text"
        case .bytes: "bytes"
        case .id: "id"
        case .none: "none"
        case .identityField: "identity_field"
        case .bitvec: "bitvec"
        case .balance: "balance"
        case .fieldName: "field_name"
        case .fieldNumber: "field_number"
        case .enumVariantName: "enum_variant_name"
        case .eraImmortal: "era_immortal"
        case .eraMortal: "era_mortal"
        case .nonce: "nonce"
        case .blockHash: "block_hash"
        case .tip: "tip"
        case .nameVersion: "name_version"
        case .txSpec: "tx_spec"
        case .author: "author"
        case .authorPlain: "author_plain"
        case .verifier: "verifier"
        case .meta: "meta"
        case .typesInfo: "types_info"
        case .newSpecs: "new_specs"
        case .networkInfo: "network_info"
        case .derivations: "derivations"
        case .warning: "warning"
        case .error: "error"
        }
    }
}
