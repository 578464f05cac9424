/// What a ``Card`` says: the whole table of `signer-wire` section 6.1.
///
/// What is large and stands in few answers is kept elsewhere (`indirect`), so that the many small cards stay small.
public enum CardKind: Hashable, Sendable {
    case pallet(name: String)
    case method(name: String, docs: Documentation)
    /// An argument of a call described by metadata 12 or 13.
    case varname(String)
    /// A number, `true` or `false`, a char, or the empty text of an empty sequence.
    case `default`(String)
    case text(String)
    /// - Parameter text: the bytes as text when they are valid UTF-8 without control characters, else nil.
    case bytes([UInt8], text: String?)
    case id(AccountAddress)
    case none
    case identityField(String)
    /// `0` and `1`, first bit first.
    case bitvec(String)
    case balance(Amount)
    case fieldName(FieldName)
    case fieldNumber(FieldNumber)
    case enumVariantName(name: String, docs: Documentation)
    case eraImmortal
    case eraMortal(phase: UInt64, period: UInt64)
    case nonce(String)
    case blockHash(Hash256)
    case tip(Amount)
    case nameVersion(name: String, version: String)
    case txSpec(String)
    indirect case author(AuthorInfo)
    case authorPlain(AccountAddress)
    case verifier(VerifierInfo)
    case meta(MetadataInfo)
    case typesInfo(TypesInfo)
    indirect case newSpecs(NetworkSpecs)
    indirect case networkInfo(title: String, logo: String, key: NetworkKey)
    case derivations([DerivationsPreview])
    case warning(CardWarning)
    case error(CardError)
}

extension CardKind {
    /// The kind's name in files and over the wire, as `enum_variant_name`.
    public var name: String {
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
