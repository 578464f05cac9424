import Foundation
import Substrate
import TestSupport
import Testing

@testable import Signer

/// The table of verifiers, case by case: what is here, what comes, and what has to become of it.
@Suite("The rules of updates")
struct UpdateRulesTests {
    static let cases = Result {
        try JSON(contentsOf: packageRoot.appending(path: "Tests/Fixtures/signer-product/verifier-table.json")).array
    }

    /// Three keys and two networks stand for all.
    private static let keys = Dictionary(
        uniqueKeysWithValues: ["A", "B", "G"].map { name in
            (name, MultiSigner.sr25519([UInt8](repeating: name.utf8.first ?? 0, count: 32)))
        })

    private static func hash(_ text: String) -> Hash256 {
        Hash256(unchecked: Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count))
    }

    private static let omega = NetworkSpecs(
        base58Prefix: 1, color: "#000", decimals: 1, scheme: .sr25519, genesisHash: hash("O"), logo: "", name: "omega",
        pathID: "", secondaryColor: "", title: "Omega", unit: "OM")

    private static func specs(_ json: JSON) throws -> NetworkSpecs {
        func text(_ name: String) throws -> String { try #require(json[name].string) }
        return NetworkSpecs(
            base58Prefix: UInt16(try #require(json["base58prefix"].int)), color: try text("color"),
            decimals: UInt8(try #require(json["decimals"].int)), scheme: try scheme(text("encryption")),
            genesisHash: hash(try text("genesis")), logo: try text("logo"), name: try text("name"),
            pathID: try text("path_id"), secondaryColor: try text("secondary_color"), title: try text("title"),
            unit: try text("unit"))
    }

    private static func scheme(_ name: String) throws -> SignatureScheme {
        let schemes: [String: SignatureScheme] = [
            "sr25519": .sr25519, "ed25519": .ed25519, "ecdsa": .ecdsa, "ethereum": .ethereum,
        ]
        return try #require(schemes[name])
    }

    private static func verifier(_ json: JSON) throws -> CurrentVerifier {
        switch json[0].string {
        case "General": .valid(.general)
        case "Dead": .dead
        case "Custom": .valid(.custom(Verifier(json[1].string.flatMap { keys[$0] })))
        default: throw CocoaError(.coderInvalidValue)
        }
    }

    /// - Parameter alpha: the record of N, whose fields the table leaves out where they do not matter.
    private static func state(_ json: JSON, alpha: NetworkSpecs) throws -> TrustState {
        var verifiers: [Hash256: CurrentVerifier] = [:]
        for (name, value) in json["verifiers"].object { verifiers[hash(name)] = try verifier(value) }
        let networks = try json["specs"].array.enumerated().map { order, row in
            var specs = row["network"].string == "N" ? alpha : omega
            specs.scheme = try scheme(try #require(row["encryption"].string))
            specs.title = try #require(row["title"].string)
            specs.color = try #require(row["color"].string)
            return OrderedNetworkSpecs(specs: specs, order: UInt8(order))
        }
        var metadata: [MetadataKey: Hash256] = [:]
        for row in json["metadata"].array {
            let key = MetadataKey(name: try #require(row[0].string), version: UInt32(try #require(row[1].int)))
            metadata[key] = hash(try #require(row[2].string))
        }
        return TrustState(
            general: json["general"].string.flatMap { keys[$0] }, verifiers: verifiers, networks: networks,
            metadata: metadata, types: json["types"].string.map(hash))
    }

    private static func update(_ json: JSON) throws -> Update {
        let signer = json["signer"].string.flatMap { keys[$0] }
        switch json["kind"].string {
        case "add_specs": return Update(content: .specs(try specs(json["specs"])), signer: signer)
        case "load_types":
            return Update(content: .types(hash(try #require(json["typesHash"].string))), signer: signer)
        case "load_metadata":
            let key = MetadataKey(
                name: try #require(json["name"].string), version: UInt32(try #require(json["version"].int)))
            let metadata = Update.Metadata(
                genesis: hash(try #require(json["genesis"].string)), key: key,
                hash: hash(try #require(json["metaHash"].string)),
                base58Prefix: json["metaPrefix"].int.map { UInt16($0) },
                describesExtensions: json["incomplete"].bool != true)
            return Update(content: .metadata(metadata), signer: signer)
        default: throw CocoaError(.coderInvalidValue)
        }
    }

    private static func text(_ change: UpdateOutcome.Change) -> String {
        switch change {
        case .warning(let warning): "Warning(\(warning.rawValue))"
        case .metadataRemoved(let key, _): "MetadataRemoved(\(key.name)\(key.version))"
        case .networkRemoved(let network): "NetworkSpecsRemoved(\(network.specs.title))"
        case .typesRemoved: "TypesRemoved"
        case .networkVerifierSet(_, .general): "NetworkVerifierSet(general)"
        case .networkVerifierSet(_, .custom): "NetworkVerifierSet(custom)"
        case .generalVerifierSet: "GeneralVerifierSet"
        case .networkAdded(let network): "NetworkSpecsAdded(\(network.specs.title))"
        case .metadataAdded(let key, _): "MetadataAdded(\(key.name)\(key.version))"
        case .typesAdded: "TypesAdded"
        }
    }

    /// What two states have to agree in: the table says nothing of the order of networks.
    private static func unordered(_ state: TrustState) -> TrustState {
        var state = state
        state.networks = state.networks.map { OrderedNetworkSpecs(specs: $0.specs, order: 0) }
            .sorted { "\($0.specs.title) \($0.specs.scheme)" < "\($1.specs.title) \($1.specs.scheme)" }
        return state
    }

    @Test("decide each case of the table as it says, and write nothing where it says error")
    func table() throws {
        let cases = try Self.cases.get()
        #expect(cases.count == 403)
        let first = try #require(cases.first { $0["id"].string?.hasSuffix("/specsAbsent") == true })
        let alpha = try Self.specs(first["message"]["specs"])
        var outcomes: [String: Int] = [:]
        for entry in cases {
            let id = try #require(entry["id"].string)
            let expected = entry["expect"]
            let before = try Self.state(entry["before"], alpha: alpha)
            do {
                let outcome = try UpdateRules.judge(try Self.update(entry["message"]), by: before)
                #expect(expected["outcome"].string == "stub", "\(id)")
                #expect(outcome.warnings.map(\.rawValue) == expected["warnings"].array.compactMap(\.string), "\(id)")
                #expect(outcome.changes.map(Self.text) == expected["events"].array.compactMap(\.string), "\(id)")
                var after = try Self.state(expected["after"], alpha: alpha)
                // The table leaves out the fields of the record that the message brings.
                if case .specs(let specs) = try Self.update(entry["message"]).content {
                    after.networks.removeAll { $0.specs.key == specs.key }
                    after.networks.append(OrderedNetworkSpecs(specs: specs, order: 0))
                    #expect(expected["after"]["specs"].array.count == after.networks.count, "\(id)")
                }
                #expect(Self.unordered(outcome.state) == Self.unordered(after), "\(id)")
                #expect(outcome.state.networks.map(\.order).sorted() == (0..<after.networks.count).map { UInt8($0) })
            } catch let refusal as UpdateRefusal {
                #expect(expected["outcome"].string == "error", "\(id): \(refusal)")
                #expect(refusal.code == expected["error"].string, "\(id)")
            }
            outcomes[expected["outcome"].string ?? "", default: 0] += 1
        }
        #expect(outcomes == ["stub": 73, "error": 330])
    }

    @Test("follow no verifier of a network that is the general one too, and no verifier of a network that is not there")
    func damaged() throws {
        let general = try #require(Self.keys["G"])
        var state = TrustState(
            general: general, verifiers: [Self.omega.genesisHash: .valid(.custom(Verifier(general)))], networks: [],
            metadata: [:], types: nil)
        let update = Update(content: .specs(Self.omega), signer: general)
        #expect(throws: UpdateRefusal.customVerifierIsGeneral(genesis: Self.omega.genesisHash)) {
            try UpdateRules.judge(update, by: state)
        }
        state.verifiers = [:]
        state.networks = [OrderedNetworkSpecs(specs: Self.omega, order: 0)]
        #expect(throws: UpdateRefusal.unexpectedGenesisHash(Self.omega.genesisHash)) {
            try UpdateRules.judge(update, by: state)
        }
    }

    @Test("keep as many networks as their order can count")
    func limit() throws {
        var state = TrustState(general: nil, verifiers: [:], networks: [], metadata: [:], types: nil)
        for number in 0..<UpdateRules.networkLimit {
            var specs = Self.omega
            specs.name = "omega\(number)"
            specs.genesisHash = Self.hash("O\(number)")
            state = try UpdateRules.judge(Update(content: .specs(specs), signer: nil), by: state).state
        }
        #expect(state.networks.map(\.order) == (0..<UpdateRules.networkLimit).map { UInt8($0) })
        let one = state
        #expect(throws: UpdateRefusal.tooManyNetworks(limit: 255)) {
            try UpdateRules.judge(Update(content: .specs(Self.omega), signer: nil), by: one)
        }
        let known = try #require(state.networks.first?.specs)
        var renamed = known
        renamed.title = "Another title"
        let outcome = try UpdateRules.judge(Update(content: .specs(renamed), signer: nil), by: state)
        #expect(outcome.state.network(known.key) == OrderedNetworkSpecs(specs: renamed, order: 0))
    }

    @Test("say that a new network follows its own verifier, and that metadata are older than others")
    func notices() throws {
        let (general, other) = try (#require(Self.keys["G"]), #require(Self.keys["A"]))
        let state = TrustState(general: general, verifiers: [:], networks: [], metadata: [:], types: nil)
        let added = try UpdateRules.judge(Update(content: .specs(Self.omega), signer: other), by: state)
        #expect(added.notices == [.newCustomVerifier] && added.warnings == [])
        func metadata(_ version: UInt32) -> Update {
            let key = MetadataKey(name: "omega", version: version)
            let content = Update.Metadata(
                genesis: Self.omega.genesisHash, key: key, hash: Self.hash("m\(version)"), base58Prefix: nil,
                describesExtensions: true)
            return Update(content: .metadata(content), signer: other)
        }
        let newer = try UpdateRules.judge(metadata(9), by: added.state)
        #expect(newer.notices == [])
        #expect(try UpdateRules.judge(metadata(8), by: newer.state).notices == [.olderMetadata])
    }
}
