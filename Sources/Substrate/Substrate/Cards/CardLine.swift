import TextForms

extension Card {
    /// The card as one line, two spaces for each step of indentation, unescaped (``ScreenText`` escapes it for a
    /// screen).
    public var line: String {
        String(repeating: "  ", count: max(0, indent)) + kind.line
    }
}

extension CardKind {
    /// The line form of `signer-wire` section 6.1, without indentation. Kinds for which the table gives no line form
    /// are written as their name and what identifies the value.
    public var line: String {
        switch self {
        case .pallet(let name): "pallet: \(name)"
        case .method(let name, _): "method: \(name)"
        case .varname(let name): "varname: \(name)"
        case .default(let text): "default: \(text)"
        case .text(let text): "text: \(text)"
        case .bytes(let bytes, _): "bytes: 0x\(Hex.encode(bytes))"
        case .id(let address): "Id: \(address.text)"
        case .none: "none: "
        case .identityField(let name): "identity_field: \(name)"
        case .bitvec(let bits): "bitvec: \(bits)"
        case .balance(let amount): "balance: \(amount)"
        case .fieldName(let field): "field_name: \(field.name)"
        case .fieldNumber(let field): "field_number: \(field.number)"
        case .enumVariantName(let name, _): "enum_variant_name: \(name)"
        case .eraImmortal: "era: Immortal"
        case .eraMortal(let phase, let period): "era: Mortal, phase: \(phase), period: \(period)"
        case .nonce(let text): "nonce: \(text)"
        case .blockHash(let hash): "block_hash: \(hash.hex)"
        case .tip(let amount): "tip: \(amount)"
        case .nameVersion(let name, let version): "network: \(name)\(version)"
        case .txSpec(let text): "tx_version: \(text)"
        default: "\(name): \(detail)"
        }
    }

    /// The value of a card about people, networks and updates.
    private var detail: String {
        switch self {
        case .author(let author): author.base58
        case .authorPlain(let address): address.text
        case .verifier(let verifier): "\(verifier.scheme.name) \(Hex.encode(verifier.publicKey))"
        case .meta(let meta): "\(meta.specName)\(meta.specVersion) \(meta.hash)"
        case .typesInfo(let info): info.hash.map(\.hex) ?? ""
        case .newSpecs(let specs): specs.title
        case .networkInfo(let title, _, _): title
        case .derivations(let seeds): seeds.map { "\($0.name): \($0.keys.count)" }.joined(separator: ", ")
        case .warning(let warning): warning.code
        case .error(let error): "\(error.code) \(error.message)"
        default: ""
        }
    }
}
