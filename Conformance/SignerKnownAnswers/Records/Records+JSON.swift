import KnownAnswers
import SCALE
import Signer
import Substrate

extension SignatureScheme {
    /// By the name that the answers give it.
    init?(_ json: JSON) {
        guard let scheme = json.string.flatMap({ SignatureScheme(name: $0) }) else { return nil }
        self = scheme
    }
}

extension NetworkSpecs {
    /// - Parameter genesis: nil takes it from the record.
    init?(_ json: JSON, genesis: Hash256? = nil) {
        guard let prefix = json["base58prefix"].int.flatMap({ UInt16(exactly: $0) }), let color = json["color"].string,
            let decimals = json["decimals"].int.flatMap({ UInt8(exactly: $0) }),
            let scheme = SignatureScheme(json["encryption"]),
            let genesis = genesis ?? json["genesis_hash"].hex.flatMap({ Hash256($0) }),
            let logo = json["logo"].string, let name = json["name"].string, let pathID = json["path_id"].string,
            let secondaryColor = json["secondary_color"].string, let title = json["title"].string,
            let unit = json["unit"].string
        else { return nil }
        self.init(
            base58Prefix: prefix, color: color, decimals: decimals, scheme: scheme, genesisHash: genesis, logo: logo,
            name: name, pathID: pathID, secondaryColor: secondaryColor, title: title, unit: unit)
    }

    /// The members of a record.
    var known: [String: JSON] {
        [
            "base58prefix": .integer(Int64(base58Prefix)), "color": .string(color),
            "decimals": .integer(Int64(decimals)), "encryption": .string(scheme.name),
            "genesis_hash": .string(genesisHash.hex), "logo": .string(logo), "name": .string(name),
            "path_id": .string(pathID), "secondary_color": .string(secondaryColor), "title": .string(title),
            "unit": .string(unit),
        ]
    }
}

extension OrderedNetworkSpecs {
    var known: [String: JSON] { specs.known.merging(["order": .integer(Int64(order))]) { $1 } }
}

extension MultiSigner {
    /// `sr25519:` and hex, as the answers name public keys.
    var known: JSON { .string("\(scheme.name):\(hex(publicKey))") }
}

extension Verifier {
    var known: JSON { key?.known ?? .null }
}

extension ValidCurrentVerifier {
    var known: JSON {
        switch self {
        case .general: .string("general")
        case .custom(let verifier): .object(["custom": verifier.known])
        }
    }
}

extension AddressDetails {
    var known: [String: JSON] {
        [
            "seed_name": .string(seedName), "path": .string(path), "has_pwd": .bool(hasPassword),
            "networks": .array(
                networks.map { .array([.string($0.genesisHash.hex), .string($0.scheme.name)]) }),
            "encryption": .string(scheme.name), "secret_exposed": .bool(secretExposed),
        ]
    }
}
