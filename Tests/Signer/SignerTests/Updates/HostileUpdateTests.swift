import Airgap
import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import Signer

/// Updates that somebody made to do harm: each is refused by its name, and nothing is written.
@Suite("Hostile updates")
struct HostileUpdateTests {
    private static func genesis(_ number: Int) -> Hash256 {
        let bytes = withUnsafeBytes(of: UInt64(number + 1).littleEndian, Array.init)
        return Hash256(unchecked: bytes + [UInt8](repeating: 7, count: 24))
    }

    private static func specs(_ number: Int) -> NetworkSpecs {
        NetworkSpecs(
            base58Prefix: 42, color: "#000", decimals: 12, scheme: .sr25519, genesisHash: genesis(number), logo: "",
            name: "network-\(number)", pathID: "//n\(number)", secondaryColor: "", title: "Network \(number)",
            unit: "U")
    }

    private static func vault(general: KeyPair? = nil) throws -> Vault {
        var bundle = try NetworkBundle.shipped()
        bundle.generalVerifier = Verifier(general?.multiSigner)
        return try Vault.lookOnly(bundle)
    }

    private static func codeOfRefusal(_ payload: [UInt8], in vault: Vault) throws -> String? {
        let (before, entries) = (try vault.state(), try vault.log().count)
        defer { #expect((try? vault.pendingPayload()) == .some(nil), "something waits for a yes") }
        do {
            _ = try vault.propose(payload)
            return nil
        } catch let refused as RefusedPayload {
            #expect(try vault.state() == before)
            #expect(try vault.log().count == entries)
            return refused.code
        }
    }

    @Test("texts of a megabyte are refused, whichever they are")
    func longTexts() throws {
        let vault = try Self.vault()
        let long = String(repeating: "a", count: 1 << 20)
        let fields: [WritableKeyPath<NetworkSpecs, String>] = [
            \.name, \.title, \.unit, \.logo, \.color, \.secondaryColor, \.pathID,
        ]
        for field in fields {
            var specs = Self.specs(1)
            specs[keyPath: field] = field == \.pathID ? "//" + long : long
            #expect(try Self.codeOfRefusal(UpdatePayload.payload(.specs(specs)), in: vault) == "SpecsMalformed")
        }
    }

    @Test("of networks as many are taken as their order can count, and each other one is refused")
    func manyNetworks() throws {
        let vault = try Vault.lookOnly(NetworkBundle(networks: [], generalVerifier: .none))
        for number in 0..<UpdateRules.networkLimit {
            let proposal = try vault.propose(UpdatePayload.payload(.specs(Self.specs(number))))
            try vault.acceptUpdate(proposal)
        }
        #expect(try vault.networks().count == UpdateRules.networkLimit)
        let before = try vault.state()
        for number in UpdateRules.networkLimit..<UpdateRules.networkLimit + 50 {
            let error = #expect(throws: RefusedPayload.self) {
                try vault.propose(UpdatePayload.payload(.specs(Self.specs(number))))
            }
            #expect(error?.code == "TooManyNetworks")
        }
        #expect(try vault.state() == before)
    }

    @Test("prefixes, decimal places and names that no network has are refused")
    func malformed() throws {
        let vault = try Self.vault()
        let changes: [(inout NetworkSpecs) -> Void] = [
            { $0.base58Prefix = 16_384 }, { $0.base58Prefix = .max }, { $0.decimals = 39 }, { $0.name = "" },
            { $0.name = "Orion" }, { $0.name = "orion\u{202e}" }, { $0.title = "" }, { $0.title = "a\nb" },
            { $0.unit = "\u{0}" }, { $0.pathID = "orion" }, { $0.pathID = "//orion///password" },
            { $0.pathID = "//e\u{301}" }, { $0.unit = "D\u{41e}T" },
        ]
        for (number, change) in changes.enumerated() {
            var specs = Self.specs(number)
            change(&specs)
            let code = try Self.codeOfRefusal(UpdatePayload.payload(.specs(specs)), in: vault)
            #expect(code == "SpecsMalformed", "\(number)")
        }
    }

    @Test("metadata whose prefix is not the network's, and metadata for another network, are refused")
    func foreignMetadata() throws {
        let westend = try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        var wrong = westend.specs
        wrong.base58Prefix = 43
        var other = westend.specs
        other.name = "eastend"
        for (specs, code) in [(wrong, "Base58PrefixSpecsMismatch"), (other, "LoadMetaWrongGenesisHash")] {
            let vault = try Vault.lookOnly(
                NetworkBundle(networks: [.init(specs: specs, metadata: [])], generalVerifier: .none))
            let payload = UpdatePayload.payload(.metadata(westend.metadata[0], genesisHash: specs.genesisHash))
            #expect(try Self.codeOfRefusal(payload, in: vault) == code)
        }
    }

    @Test("a signature by another scheme, of another content, or of nothing is refused")
    func foreignSignatures() throws {
        let general = try VaultUpdatesTests.pair(1)
        let vault = try Self.vault(general: general)
        let content = UpdatePayload.Content.specs(Self.specs(1))
        let edwards = try VaultUpdatesTests.pair(1, .ed25519)
        let forged: [[UInt8]] = [
            try edwards.sign(content.signedBytes),
            try general.sign(UpdatePayload.Content.specs(Self.specs(2)).signedBytes),
            try general.sign([]), [UInt8](repeating: 0, count: 64),
        ]
        for signature in forged {
            let payload = UpdatePayload.payload(content, signature: (general.multiSigner, signature))
            #expect(try Self.codeOfRefusal(payload, in: vault) == "BadSignature")
        }
    }

    @Test("metadata that were changed anywhere are refused or shown, in bounded time, and never written")
    func changedMetadata() throws {
        let westend = try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        let vault = try Vault.lookOnly(
            NetworkBundle(networks: [.init(specs: westend.specs, metadata: [])], generalVerifier: .none))
        let before = try vault.state()
        var random = SplitMix64(state: 80)
        for _ in 0..<60 {
            var blob = westend.metadata[0]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Most types are described near the beginning: references there come to point at themselves.
                let end = random.byte() < 200 ? 4096 : blob.count
                blob[Int.random(in: 5..<end, using: &random)] = random.byte()
            }
            _ = try? vault.propose(UpdatePayload.payload(.metadata(blob, genesisHash: westend.specs.genesisHash)))
            #expect(try vault.state() == before)
        }
    }

    @Test("whatever bytes read as an update are written again as they were, and change nothing by being looked at")
    func randomBytes() throws {
        let vault = try Self.vault()
        let before = try vault.state()
        let types = TypesTable(entries: [
            .init(name: "Weight", description: .alias("u64")), .init(name: "Weight", description: .alias("Weight")),
        ])
        let seeds = [UpdatePayload.payload(.specs(Self.specs(1))), UpdatePayload.payload(.types(types))]
        var random = SplitMix64(state: 129)
        for round in 0..<3_000 {
            var bytes = seeds[round % 2]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = random.byte()
            }
            guard case .update(let update)? = try? Payload(bytes) else { continue }
            #expect(
                try Payload(UpdatePayload.payload(update.content)) == .update(UpdatePayload(unsigned: update.content)))
            _ = try? vault.process(bytes)
        }
        #expect(try vault.state() == before)
    }

    @Test("what is shown is what is then there, whatever comes, and the rules of the state hold")
    func randomUpdates() throws {
        let pairs = try (1...3).map { try VaultUpdatesTests.pair(UInt8($0)) }
        var random = SplitMix64(state: 193)
        for _ in 0..<12 {
            let vault = try Vault.lookOnly(NetworkBundle(networks: [], generalVerifier: .none))
            for _ in 0..<40 {
                let content: UpdatePayload.Content
                if random.byte() < 50 {
                    let name = "T\(random.byte() % 3)"
                    content = .types(.signable(name))
                } else {
                    var specs = Self.specs(Int(random.byte() % 4))
                    specs.scheme = random.byte() % 2 == 0 ? .sr25519 : .ed25519
                    specs.title = "Title \(random.byte() % 3)"
                    content = .specs(specs)
                }
                let pair = (pairs as [KeyPair?] + [nil]).randomElement(using: &random) ?? nil
                let before = try vault.trustState()
                let payload = try VaultUpdatesTests.payload(content, by: pair)
                guard let proposal = try? vault.propose(payload) else {
                    #expect(try vault.trustState() == before)
                    continue
                }
                guard case .update(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
                #expect(try vault.trustState() == before)
                try vault.acceptUpdate(proposal)
                let after = try vault.trustState()
                #expect(after == preview.outcome.state.sorted)
                #expect(after.networks.map(\.order) == after.networks.indices.map { UInt8($0) })
                #expect(after.networks.allSatisfy { after.verifiers[$0.specs.genesisHash] != nil })
                if let general = after.general {
                    #expect(!after.verifiers.values.contains(.valid(.custom(Verifier(general)))))
                }
            }
        }
    }
}

extension TrustState {
    /// With the networks in the order of lists, as they are stored.
    fileprivate var sorted: TrustState {
        var state = self
        state.networks.sort { $0.order < $1.order }
        return state
    }
}
