import KnownAnswers
import Signer
import Substrate

/// States and messages over abstract networks N and O and keys A, B and G, as `verifier/table.json` has them.
package struct AbstractStates {
    /// Three keys stand for all.
    package static let keys = Dictionary(
        uniqueKeysWithValues: ["A", "B", "G"].map { name in
            (name, MultiSigner.sr25519([UInt8](repeating: name.utf8.first ?? 0, count: 32)))
        })

    /// The record of O.
    package static let omega = NetworkSpecs(
        base58Prefix: 1, color: "#000", decimals: 1, scheme: .sr25519, genesisHash: hash("O"), logo: "", name: "omega",
        pathID: "", secondaryColor: "", title: "Omega", unit: "OM")

    /// The record of N, whose fields the table leaves out where they do not matter.
    let alpha: NetworkSpecs

    /// A digest or genesis that a short text stands for.
    package static func hash(_ text: String) -> Hash256 {
        Hash256(unchecked: Array((Array(text.utf8) + [UInt8](repeating: 0, count: 32)).prefix(32)))
    }

    /// - Parameter table: N is the network of its first case in which no record is there.
    init(_ table: JSON) throws {
        guard let first = table.array.first(where: { $0["id"].string?.hasSuffix("/specsAbsent") == true }) else {
            throw RowError.missing("a case that ends in /specsAbsent")
        }
        alpha = try Self.specs(first["message"]["specs"])
    }

    private static func key(_ name: JSON) throws -> MultiSigner? {
        guard let name = name.string else { return nil }
        guard let key = keys[name] else { throw RowError.missing("key \(name)") }
        return key
    }

    static func specs(_ json: JSON) throws -> NetworkSpecs {
        guard let specs = NetworkSpecs(json, genesis: json["genesis"].string.map(hash)) else {
            throw RowError.missing("specs")
        }
        return specs
    }

    private static func verifier(_ json: JSON) throws -> CurrentVerifier {
        switch json[0].string {
        case "General": .valid(.general)
        case "Dead": .dead
        case "Custom": .valid(.custom(Verifier(try key(json[1]))))
        default: throw RowError.missing("verifier")
        }
    }

    func state(_ json: JSON) throws -> TrustState {
        var verifiers: [Hash256: CurrentVerifier] = [:]
        for (name, value) in json["verifiers"].object { verifiers[Self.hash(name)] = try Self.verifier(value) }
        let networks = try json["specs"].array.enumerated().map { order, row in
            var specs = row["network"].string == "N" ? alpha : Self.omega
            guard let scheme = SignatureScheme(row["encryption"]), let title = row["title"].string,
                let color = row["color"].string, ["N", "O"].contains(row["network"].string)
            else { throw RowError.missing("specs") }
            (specs.scheme, specs.title, specs.color) = (scheme, title, color)
            return OrderedNetworkSpecs(specs: specs, order: UInt8(order))
        }
        var metadata: [MetadataName: Hash256] = [:]
        for row in json["metadata"].array {
            guard let name = row[0].string, let version = row[1].int, let hash = row[2].string else {
                throw RowError.missing("metadata")
            }
            metadata[MetadataName(name: name, version: UInt32(version))] = Self.hash(hash)
        }
        return TrustState(
            general: try Self.key(json["general"]), verifiers: verifiers, networks: networks, metadata: metadata,
            types: json["types"].string.map(Self.hash))
    }

    static func update(_ json: JSON) throws -> Update {
        let signer = try key(json["signer"])
        switch json["kind"].string {
        case "add_specs": return Update(content: .specs(try specs(json["specs"])), signer: signer)
        case "load_types":
            guard let types = json["typesHash"].string else { throw RowError.missing("typesHash") }
            return Update(content: .types(hash(types)), signer: signer)
        case "load_metadata":
            guard let name = json["name"].string, let version = json["version"].int,
                let genesis = json["genesis"].string, let digest = json["metaHash"].string
            else { throw RowError.missing("message") }
            let metadata = Update.Metadata(
                genesis: hash(genesis), key: MetadataName(name: name, version: UInt32(version)), hash: hash(digest),
                base58Prefix: json["metaPrefix"].int.map { UInt16($0) },
                describesExtensions: json["incomplete"].bool != true)
            return Update(content: .metadata(metadata), signer: signer)
        default: throw RowError.missing("kind")
        }
    }
}
