import Airgap
import BasicFoundation
import KnownAnswers
import Signer
import Substrate
import TextForms

/// `{bases, scenarios: [{base, general, steps}]}`: updates as they travel, one after the other, in a vault.
enum ScenarioAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("bases", "scenarios") }

    /// Names of the payloads that the steps scan.
    static func payloads(_ content: JSON) -> [String] {
        content["scenarios"].array.flatMap { $0["steps"].array.compactMap { $0["payload"].string } }
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        var payloads: [String: [UInt8]] = [:]
        for name in Set(Self.payloads(content)).sorted() {
            payloads[name] = try file.payload(name)
            PayloadFileAnswers.check(file.beside("payloads/\(name)"), report: &report)
        }
        let start = StartState(bases: content["bases"], payloads: Array(payloads.values))
        report.check(content["scenarios"], besides: ["id"]) { row in
            let vault = try start.vault(base: row.text("base"), general: row["general"])
            for (number, step) in row["steps"].rows.enumerated() {
                try row.take(step, named: "\(row.id) step \(number + 1)", in: vault, payloads: payloads)
            }
        }
    }
}

extension AnswerFile {
    /// The payload of that name in the folder beside the list, which is hex text.
    func payload(_ name: String) throws -> [UInt8] {
        try beside("payloads/\(name)").hex()
    }

    /// The bytes of a file of hex text.
    func hex() throws -> [UInt8] {
        let text = try text().filter { !$0.isWhitespace }
        guard let bytes = Hex.decode(text) else {
            throw RowError.missing("hex of \(name)")
        }
        return bytes
    }
}

extension Row {
    fileprivate mutating func take(
        _ step: JSON, named name: String, in vault: Vault, payloads: [String: [UInt8]]
    ) throws {
        let logged = try vault.log().count
        switch step["op"].string {
        case "scanAndAccept":
            guard let payload = step["payload"].string.flatMap({ payloads[$0] }) else {
                throw RowError.missing("payload")
            }
            do {
                let proposal = try vault.propose(payload)
                try expect(proposal, as: step, named: name)
                try vault.acceptUpdate(proposal)
                let events = try vault.log().dropFirst(logged).flatMap(\.entry.events).map(\.briefly)
                expect("\(name) events", events, equals: step["expect"]["events"].strings)
            } catch let refused as RefusedPayload {
                expect("\(name) outcome", "error", equals: step["expect"]["outcome"].string)
                expect("\(name) code", refused.code, equals: step["expect"]["error"].string)
                expect("\(name) log", try vault.log().count, equals: logged)
            }
        case "removeNetwork":
            guard let genesis = step["genesis"].hex.flatMap({ Hash256($0) }) else { throw RowError.missing("genesis") }
            let isThere = try vault.networks().contains {
                $0.genesisHash == genesis && $0.scheme.name == step["encryption"].string
            }
            expect("\(name) network is there", isThere, equals: true)
            try vault.removeNetwork(genesis)
            let events = try vault.log().dropFirst(logged).flatMap(\.entry.events).map(\.briefly)
            expect("\(name) events", events, equals: step["events"].strings)
        default: throw RowError.missing("known op")
        }
        let after = step["after"]
        let state = try vault.trustState()
        for (member, json) in state.known.object.sorted(by: { $0.key < $1.key }) {
            expect("\(name) \(member)", json, equals: member == "specs" ? after[member].sorted : after[member])
        }
    }

    private mutating func expect(_ proposal: Proposal, as step: JSON, named name: String) throws {
        guard case .update(let preview) = proposal.answer.action else { throw RowError.missing("update") }
        let kind =
            switch preview.content {
            case .network: "add_specs"
            case .metadata: "load_metadata"
            case .types: "load_types"
            }
        expect("\(name) kind", kind, equals: step["kind"].string)
        expect("\(name) signer", preview.voucher.key?.known ?? .null, equals: step["signer"])
        expect("\(name) outcome", "stub", equals: step["expect"]["outcome"].string)
        let warnings = preview.outcome.warnings.map(\.rawValue)
        expect("\(name) warnings", warnings, equals: step["expect"]["warnings"].strings)
        let hasCard = !proposal.answer.cards.verifier.isEmpty
        expect("\(name) card of the verifier", hasCard, equals: step["expect"]["verifierCard"].bool)
    }
}

/// Makes vaults in the states that scenarios start from.
private struct StartState {
    let bases: JSON
    private var blobs: [Hash256: [UInt8]] = [:]
    private var types: [Hash256: TypesTable] = [:]

    /// - Parameter payloads: bring the metadata and types that states name by their digests.
    init(bases: JSON, payloads: [[UInt8]]) {
        self.bases = bases
        for bytes in payloads {
            guard case .update(let update)? = try? Payload(bytes) else { continue }
            switch update.content {
            case .metadata(let blob, _): blobs[Blake2b.hash256(blob)] = blob
            case .types(let table): types[table.hash] = table
            case .specs, .packedMetadata: continue
            }
        }
    }

    func vault(base name: String, general: JSON) throws -> Vault {
        let base = bases[name]
        let known = try NetworkBundle.shipped().networks.map(\.specs)
        let networks = try base["specs"].strings.map { text in
            guard let specs = known.first(where: { $0.briefly == text }) else { throw RowError.missing(text) }
            return NetworkBundle.Network(specs: specs, metadata: [])
        }
        let allGeneral = Dictionary(
            uniqueKeysWithValues: networks.map { ($0.specs.genesisHash.hex, JSON.array([.string("General")])) })
        guard base["verifiers"] == .object(allGeneral) else { throw RowError.missing("verifiers of \(name)") }
        var standIns: [MetadataName: [UInt8]] = [:]
        for text in base["metadata"].strings {
            let key = MetadataName(brief: text)
            let known = base["metadataHashes"][text].hex.flatMap { Hash256($0) }
            guard let blob = known.map({ blobs[$0] }) ?? Array("stands in for \(text)".utf8) else {
                throw RowError.missing("metadata \(text)")
            }
            standIns[key] = blob
        }
        guard let types = base["types"].hex.flatMap({ Hash256($0) }).flatMap({ types[$0] }) else {
            throw RowError.missing("types of \(name)")
        }
        let bundle = NetworkBundle(
            networks: networks, generalVerifier: Verifier(try MultiSigner(known: general)), types: types)
        return try Vault.lookOnly(bundle, keys: [], standIns: standIns)
    }
}

extension MultiSigner {
    /// From `sr25519:` and hex; nil for null.
    init?(known json: JSON) throws {
        guard let text = json.string else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let scheme = SignatureScheme(name: String(parts[0])),
            let key = Hex.decode(parts[1]), let signer = MultiSigner(scheme: scheme, publicKey: key)
        else { throw RowError.missing("key \(text)") }
        self = signer
    }
}

extension MetadataName {
    /// From a name with the version behind it.
    fileprivate init(brief text: String) {
        let digits = text.reversed().prefix { $0.isWholeNumber }.count
        self.init(name: String(text.dropLast(digits)), version: UInt32(text.suffix(digits)) ?? 0)
    }
}

extension NetworkSpecs {
    fileprivate var briefly: String { "\(genesisHash.hex):\(scheme.name):\(title)" }
}

extension JSON {
    /// A list of texts in their order, which the answers leave open.
    fileprivate var sorted: JSON { .array(strings.sorted().map(JSON.string)) }
}

extension TrustState {
    /// In the words of the answers.
    fileprivate var known: JSON {
        let names = metadata.keys.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
        return .object([
            "general": Verifier(general).known,
            "verifiers": .object(
                Dictionary(uniqueKeysWithValues: verifiers.map { ($0.key.hex, $0.value.known) })),
            "specs": .array(networks.map(\.specs.briefly).sorted().map(JSON.string)),
            "metadata": .array(names.map { .string("\($0.name)\($0.version)") }),
            "types": types.map { .string($0.hex) } ?? .null,
        ])
    }
}

extension CurrentVerifier {
    fileprivate var known: JSON {
        switch self {
        case .dead: .array([.string("Dead")])
        case .valid(.general): .array([.string("General")])
        case .valid(.custom(let verifier)): .array([.string("Custom"), verifier.known])
        }
    }
}

extension Event {
    /// As a scenario writes it.
    fileprivate var briefly: String {
        switch self {
        case .warning(let text): "Warning(\(text.prefix { $0 != ":" }))"
        case .metadataAdded(let record), .metadataRemoved(let record): "\(name)(\(record.name)\(record.version))"
        case .networkSpecsAdded(let record), .networkSpecsRemoved(let record): "\(name)(\(record.specs.specs.title))"
        case .networkVerifierSet(_, .general, _): "\(name)(general)"
        case .networkVerifierSet(_, .custom, _): "\(name)(custom)"
        default: name
        }
    }
}
