import KnownAnswers
import SCALE
import Signer
import Substrate
import TextForms

/// `[{name, steps: [{op, …}]}]`: stories. Each happens in a vault of its own, from its state at the start to the last
/// update that is accepted.
enum StoryCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("name", "steps")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for story in content.array {
            let name = file.name(story["name"].string ?? "?")
            do {
                var teller = Story(file: file, name: name)
                for step in story["steps"].rows { try teller.tell(step, report: &report) }
            } catch {
                report.fail(name, because: "\(error)")
            }
        }
    }
}

/// A story while it is told.
private struct Story {
    let file: AnswerFile
    let name: String
    private var profile: ColdProfile?
    private var vault: Vault?
    private let seeds = PublicSeeds()
    /// What the last input asks for.
    private var proposal: Proposal?
    /// Verifiers of networks that were removed, which the original forgets. Ours stays pinned to them
    /// (`signer-product` section 1.6).
    private var pinned: [JSON] = []
    /// Whether the vault has made a seed with the keys that networks propose.
    private var hasMadeSeed = false

    init(file: AnswerFile, name: String) {
        self.file = file
        self.name = name
    }

    private func opened() throws -> Vault {
        guard let vault else { throw RowError.missing("db") }
        return vault
    }

    mutating func tell(_ step: JSON, report: inout Report) throws {
        switch step["op"].string {
        case "db":
            let profile = ColdProfile(file: file, profile: step["profile"].string ?? "")
            self.profile = profile
            vault = try profile.vault(general: step["general_verifier"], seeds: seeds)
        case "create_seed":
            guard let phrase = try profile?.phrase(), let seed = step["name"].string else {
                throw RowError.missing("seed")
            }
            try opened().addSeed(phrase, named: seed)
            hasMadeSeed = true
        case "create_address": try createAddress(step, report: &report)
        case "remove_seed": try opened().removeSeed(named: step["name"].string ?? "")
        case "remove_network":
            let genesis = try NetworkKey(scaleEncoded: step["key"].hex ?? []).genesisHash
            if case .valid(.custom(let own)) = try opened().trustState().verifiers[genesis], let key = own.key {
                pinned.append([.string(genesis.hex), .string("custom"), key.known])
            }
            try opened().removeNetwork(genesis)
        case "accept":
            guard let proposal else { return report.fail("\(name) accept", because: "nothing can be accepted") }
            try opened().acceptUpdate(proposal)
            self.proposal = nil
            report.pass()
        case "check_db":
            let state = try opened().known(withoutProposedKeys: hasMadeSeed)
            for (member, json) in state.sorted(by: { $0.key < $1.key }) {
                let known = step["expect"][member].array + (member == "verifiers" ? pinned : [])
                let isList = json.isList && member != "general_verifier"
                let expected = isList ? JSON.array(known) : step["expect"][member]
                report.expect("\(name) \(member)", json, equals: expected.sorted)
            }
        case "input": try take(step, report: &report)
        default: throw RowError.missing("known op instead of \(step["op"])")
        }
    }

    private func createAddress(_ step: JSON, report: inout Report) throws {
        let key = try NetworkKey(scaleEncoded: step["network"].hex ?? [])
        guard let phrase = try profile?.phrase(), let seed = step["seed"].string, let path = step["path"].string,
            let network = try opened().networks().first(where: { $0.key == key })
        else { throw RowError.missing("address") }
        try seeds.add(phrase, named: seed)
        let stored = try opened().deriveKey(seed: seed, path: path, password: nil, network: network)
        report.expect(
            "\(name) \(path)", Hex.encode(stored.signer.publicKey), equals: step["public_key"].string ?? "")
    }

    private mutating func take(_ step: JSON, report: inout Report) throws {
        try seeds.open(step["secrets"])
        let outcome = PayloadOutcome(of: try PayloadInput(step, file), in: try opened())
        proposal = outcome.proposal
        let expected = step["expect"]
        // Which parts the story has from its original.
        step.leave("asserted_upstream")
        if let stub = outcome.proposal?.answer.stub, !expected["stub"].isNull {
            report.expect("\(name) stub", stub, equals: expected["stub"])
        }
        outcome.compare(with: expected, name: name, report: &report)
    }
}

extension PayloadOutcome {
    fileprivate func compare(with expected: JSON, name: String, report: inout Report) {
        report.expect("\(name) action", action, equals: expected["action"].string ?? "")
        if let known = expected["error"]["code"].string { report.expect("\(name) code", code, equals: known) }
        // What an error is about: here it is told in words.
        for fact in [
            "base58_database", "base58_input", "content", "encryption", "general_verifier", "genesis_hash",
            "name", "network_name", "new", "verifier", "version",
        ] { expected["error"].leave(fact) }
        for attempt in expected["error"]["errors"].array {
            report.expect("\(name) version of an attempt", attempt[0].int != nil, equals: true)
            attempt[1].leave("code", "as_decoded", "in_metadata")
        }
        report.expect("\(name) cards", sections, equals: expected["cards"].object)
        if let author {
            report.expect("\(name) author", author.json, equals: expected["author_info"])
            if !expected["has_pwd"].isNull {
                report.expect("\(name) has a password", author.hasPassword, equals: expected["has_pwd"].bool)
            }
        }
        if !expected["network"].isNull {
            report.expect("\(name) network", network?.json ?? .null, equals: expected["network"]["specs"])
            // Its place in the list, and that a message is for any chain of a scheme, which an answer does not tell.
            expected["network"].leave("order", "any")
        }
        let known = expected["items"].array
        report.expect("\(name) items", items.count, equals: known.count)
        for (index, (item, expected)) in zip(items, known).enumerated() {
            item.compare(with: expected, name: "\(name)[\(index)]", report: &report)
        }
    }
}

extension Answer {
    /// What an update brings, in the words of the answers.
    fileprivate var stub: JSON? {
        guard case .update(let preview) = action else { return nil }
        switch preview.content {
        case .network(let specs):
            return ["kind": .string("add_specs"), "network_specs_key": .string(Hex.encode(specs.key.scaleEncoded))]
        case .metadata:
            guard let network else { return ["kind": .string("load_metadata")] }
            return [
                "kind": .string("load_metadata"), "network_specs_key": .string(Hex.encode(network.key.scaleEncoded)),
            ]
        case .types: return ["kind": .string("load_types")]
        }
    }
}

extension Vault {
    /// What it holds, in the words of the answers: lists in their order, a line for each key in each network.
    ///
    /// - Parameter withoutProposedKeys: leaves out the keys at the paths that networks propose, which ours makes with a
    ///   seed and the original does not.
    fileprivate func known(withoutProposedKeys: Bool) throws -> [String: JSON] {
        let state = try trustState()
        let specs = state.networks.map(\.specs)
        let keys = try keys().filter { key in
            !withoutProposedKeys || key.details.path.isEmpty || !specs.contains { $0.pathID == key.details.path }
        }
        let general = state.general?.known ?? .null
        return [
            "metadata": JSON.array(state.metadata.keys.map { .string("\($0.name)\($0.version)") }).sorted,
            "networks": JSON.array(
                specs.map { specs in
                    [
                        .string(Hex.encode(specs.key.scaleEncoded)), .string(specs.title), .string(specs.name),
                        .string(specs.scheme.name),
                    ]
                }
            ).sorted,
            "verifiers": JSON.array(
                state.verifiers.map { genesis, verifier in
                    switch verifier {
                    case .dead: [.string(genesis.hex), .string("dead"), .null]
                    case .valid(.general): [.string(genesis.hex), .string("general"), general]
                    case .valid(.custom(let own)):
                        [.string(genesis.hex), .string("custom"), own.key?.known ?? .null]
                    }
                }
            ).sorted,
            "general_verifier": general,
            "identities": JSON.array(keys.flatMap(\.known)).sorted,
        ]
    }
}

extension MultiSigner {
    fileprivate var known: JSON { [.string(scheme.name), .string(Hex.encode(publicKey))] }
}

extension StoredKey {
    fileprivate var known: [JSON] {
        let networks: [JSON] = details.networks.map { .string(Hex.encode($0.scaleEncoded)) }
        return (networks.isEmpty ? [.null] : networks).map { network in
            [
                .string(Hex.encode(signer.publicKey)), .string(details.scheme.name), .string(details.path), network,
            ]
        }
    }
}

extension JSON {
    /// A list in an order of its own; anything else as it is.
    fileprivate var sorted: JSON {
        let members = isList ? array : []
        guard isList, members.allSatisfy({ $0.string != nil || !$0.array.isEmpty }) else {
            return self
        }
        // A verifier is a list of two texts, whose order means something.
        if members.count == 2, members.allSatisfy({ $0.string != nil }),
            SignatureScheme(name: members[0].string ?? "") != nil
        {
            return self
        }
        return .array(members.sorted { "\($0)" < "\($1)" })
    }
}
