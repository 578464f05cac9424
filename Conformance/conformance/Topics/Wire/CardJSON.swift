import KnownAnswers
import Substrate
import TextForms

/// The card form of the known answers: `{"indent", "kind", "value"}`.
extension Card {
    var json: JSON {
        .object(["indent": .integer(Int64(indent)), "kind": .string(kind.name), "value": kind.json])
    }
}

extension CardKind {
    /// The value of a card about a transaction or its author. Cards about networks and updates have theirs elsewhere.
    var json: JSON {
        switch self {
        case .pallet(let text), .varname(let text), .default(let text), .text(let text), .identityField(let text),
            .bitvec(let text), .nonce(let text), .txSpec(let text):
            .string(text)
        case .method(let name, let docs): ["method_name": .string(name), "docs": .string(docs.text)]
        case .bytes(let bytes, let text):
            ["hex": .string("0x" + Hex.encode(bytes)), "text": text.map { .string($0) } ?? .null]
        case .id(let address): ["base58": .string(address.text), "identicon": address.identicon.json]
        case .balance(let amount), .tip(let amount):
            ["amount": .string(amount.number), "units": .string(amount.units)]
        case .fieldName(let field):
            [
                "name": .string(field.name), "docs_field_name": .string(field.docs.text),
                "path_type": .string(field.type.path), "docs_type": .string(field.type.docs.text),
            ]
        case .fieldNumber(let field):
            [
                "number": .string(String(field.number)), "docs_field_number": .string(field.docs.text),
                "path_type": .string(field.type.path), "docs_type": .string(field.type.docs.text),
            ]
        case .enumVariantName(let name, let docs): ["name": .string(name), "docs_enum_variant": .string(docs.text)]
        case .eraMortal(let phase, let period):
            ["phase": .string(String(phase)), "period": .string(String(period))]
        case .blockHash(let hash): .string(hash.hex)
        case .nameVersion(let name, let version): ["name": .string(name), "version": .string(version)]
        case .author(let author): author.json
        case .authorPlain(let address): ["base58": .string(address.text), "identicon": address.identicon.json]
        case .warning(.newerVersion(let used, let latest)):
            [
                "code": .string("NewerVersion"), "used_version": .integer(Int64(used)),
                "latest_version": .integer(Int64(latest)),
            ]
        case .warning(let warning): warning.json
        case .error(let error): ["code": .string(error.code)]
        case .derivations(let groups): .array(groups.map(\.json))
        case .verifier(let verifier):
            [
                "public_key": .string(Hex.encode(verifier.publicKey)), "identicon": verifier.identicon.json,
                "encryption": .string(verifier.scheme.name),
            ]
        case .newSpecs(let specs): specs.json
        case .meta(let metadata):
            [
                "specname": .string(metadata.specName), "specs_version": .string(metadata.specVersion),
                "meta_hash": .string(metadata.hash.hex), "meta_id_pic": ["dots": .string(metadata.hash.hex)],
            ]
        case .typesInfo(let types):
            [
                "types_on_file": .bool(types.isOnFile), "types_hash": types.hash.map { .string($0.hex) } ?? .null,
                "types_id_pic": types.hash.map { ["dots": .string($0.hex)] } ?? .null,
            ]
        default: .null
        }
    }
}

extension CardWarning {
    fileprivate var json: JSON {
        let code: [String: JSON] = ["code": .string(code)]
        func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
        let facts: [String: JSON] =
            switch self {
            case .networkSpecsAlreadyThere(let title): ["title": .string(title)]
            case .generalVerifierAppeared(let networks, let metadata, let typesPurged):
                ["networks": list(networks), "metadata": list(metadata), "types_purged": .bool(typesPurged)]
            case .verifierChangingToGeneral(let change), .verifierChangingToCustom(let change),
                .verifierGeneralSuper(let change):
                [
                    "genesis_hash": .string(change.genesisHash.hex), "networks": list(change.networks),
                    "metadata": list(change.metadata),
                ]
            default: [:]
            }
        return .object(code.merging(facts) { first, _ in first })
    }
}

extension DerivationsPreview {
    var json: JSON {
        [
            "name": .string(name), "multisigner": [.string(root.scheme.name), .string(Hex.encode(root.publicKey))],
            "derived_keys": .array(keys.map(\.json)),
        ]
    }
}

extension DerivationsPreview.Key {
    fileprivate var json: JSON {
        let shown: String =
            switch status {
            case .alreadyExists: "already_exists"
            case .importable: "importable"
            case .invalid: "invalid"
            }
        return [
            "address": .string(address.text), "derivation_path": path.map { .string($0) } ?? .null,
            "encryption": .string(scheme.name), "genesis_hash": .string(genesisHash.hex),
            "identicon": address.identicon.json, "has_pwd": hasPassword.map { .bool($0) } ?? .null,
            "network_title": networkTitle.map { .string($0) } ?? .null, "status": .string(shown),
        ]
    }
}

extension AuthorInfo {
    var json: JSON {
        [
            "base58": .string(base58), "address_key": .string(Hex.encode(addressKey)),
            "address": [
                "identicon": identicon.json, "seed_name": .string(seedName), "path": .string(path),
                "has_pwd": .bool(hasPassword), "secret_exposed": .bool(secretExposed),
            ],
        ]
    }
}

extension IdenticonSource {
    var json: JSON {
        switch self {
        case .dots(let bytes): ["dots": .string(Hex.encode(bytes))]
        case .blockies(let address): ["blockies": .string(address)]
        }
    }
}
