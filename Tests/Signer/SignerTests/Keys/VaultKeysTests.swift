import Airgap
import SecretMemory
import Substrate
import Synchronization
import TestSupport
import Testing

@testable import Signer

@Suite("Keys of a vault")
struct VaultKeysTests {
    // MARK: Numbered paths

    @Test("further paths are those published", .enabled(if: SharedData.has(KnownRecords.folder)))
    func publishedIncrements() throws {
        for known in try SharedData.json("signer-product/keys.json")["increment"].array {
            let created = try NumberedPaths.next(
                below: try #require(known["base"].string), among: known["existing"].array.compactMap(\.string),
                count: UInt32(try #require(known["count"].int)), isTaken: { _ in false })
            #expect(created == known["created"].array.compactMap(\.string), "\(known)")
        }
    }

    @Test("the path that is offered is the one published", .enabled(if: SharedData.has(KnownRecords.folder)))
    func publishedSuggestions() throws {
        for known in try SharedData.json("signer-product/keys.json")["suggestion"].array {
            let existing = known["existing"].array.compactMap(\.string)
            let suggestion = NumberedPaths.suggestion(
                pathID: try #require(known["pathId"].string), isTaken: existing.contains)
            #expect(suggestion == known["suggestion"].string)
        }
    }

    @Test("only a number in its shortest form right below the path counts; none is made behind the last")
    func numbers() throws {
        func next(_ existing: [String], _ count: UInt32) throws -> [String] {
            try NumberedPaths.next(below: "//a", among: existing, count: count) { _ in false }
        }
        let other = ["//a/9", "//a//09", "//a//9//9", "//a//9///p", "//ab//9", "//a//٩", "//a//4294967296"]
        #expect(try next(other, 2) == ["//a//0", "//a//1"])
        #expect(try next(["//a//4294967294"], 1) == ["//a//4294967295"])
        for (highest, count) in [("4294967294", UInt32(2)), ("4294967295", 1)] {
            #expect(throws: SignerError.incrementOverflow) { try next(["//a//\(highest)"], count) }
        }
        for count in [0, 1025, UInt32.max] {
            #expect(throws: SignerError.incrementCount) { try next([], count) }
        }
    }

    // MARK: In a vault

    private static func makeVault() throws -> (TestVault, Vault, westend: NetworkSpecs, key: StoredKey) {
        let made = try TestVault()
        let vault = try made.withSeed()
        let westend = try vault.network(named: "westend")
        let key = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: westend)
        return (made, vault, westend, key)
    }

    @Test("further keys are made in one entry, or none; a key with a password gives none")
    func increments() throws {
        let (_, vault, westend, key) = try Self.makeVault()
        let entries = try vault.log().count
        #expect(
            try vault.increment(key.signer, in: westend.key, count: 3).map(\.details.path) == [
                "//Alice//0", "//Alice//1", "//Alice//2",
            ])
        #expect(try vault.increment(key.signer, in: westend.key, count: 1).map(\.details.path) == ["//Alice//3"])
        #expect(try vault.log().count == entries + 2)
        #expect(try vault.suggestedPath(ofSeed: "demo", in: westend) == "//westend//0")
        let secret = try vault.deriveKey(
            seed: "demo", path: "//Bob", password: TestVault.secret("p"), network: westend)
        #expect(throws: SignerError.incrementPassworded) {
            try vault.increment(secret.signer, in: westend.key, count: 1)
        }
        let kusama = try vault.network(named: "kusama")
        #expect(throws: SignerError.networkNotEnabled(path: "//Alice")) {
            try vault.increment(key.signer, in: kusama.key, count: 1)
        }
    }

    @Test("a path that is typed is good, needs its password again, is there already, or is none")
    func checks() throws {
        let (_, vault, westend, key) = try Self.makeVault()
        func check(_ path: String, in network: NetworkSpecs? = nil) throws -> DerivationCheck {
            try vault.derivationCheck(path, ofSeed: "demo", in: network ?? westend)
        }
        guard case .make? = try check("//new").next, case .repeatPassword? = try check("//Alice///p").next else {
            Issue.record("a good path was not taken")
            return
        }
        let there = try check("//Alice")
        #expect(there.next == nil && there.collision?.signer == key.signer && there.error == nil)
        for path in [
            "Alice", "//a//", "//a///", "//a\n", "//a///p\nq", "//a\u{301}", "//" + String(repeating: "a", count: 1100),
        ] {
            let check = try check(path)
            #expect(check.next == nil && check.error?.code == "InvalidDerivation", "\(path.prefix(8))")
        }
        var edwards = westend
        edwards.scheme = .ed25519
        #expect(try check("/soft", in: edwards).error?.code == "InvalidDerivation")
        #expect(try check("/soft").error == nil)
    }

    @Test("a key leaves one network after the other; roots stay, others go; all or none")
    func removal() throws {
        let (_, vault, westend, key) = try Self.makeVault()
        let kusama = try vault.network(named: "kusama")
        _ = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: kusama)
        _ = try vault.deriveKey(seed: "demo", path: "", password: nil, network: westend)
        let root = try #require(try vault.keys().first { $0.details.isRoot })
        let before = try vault.keys()
        #expect(throws: SignerError.self) {
            try vault.removeKeys([key.signer, .sr25519([UInt8](repeating: 1, count: 32))], from: westend.key)
        }
        #expect(try vault.keys() == before)
        try vault.removeKeys([key.signer, root.signer], from: westend.key)
        #expect(try vault.keys().first { $0.signer == key.signer }?.details.networks == [kusama.key])
        #expect(try vault.keys().first { $0.signer == root.signer }?.details.networks == [])
        try vault.removeKeys([key.signer], from: kusama.key)
        #expect(try vault.keys().allSatisfy { $0.signer != key.signer })
        #expect(throws: SignerError.networkNotEnabled(path: "")) {
            try vault.removeKeys([root.signer], from: westend.key)
        }
        let last = try #require(try vault.log().last).entry.events
        #expect(last.map(\.name) == ["IdentityRemoved"])
    }

    @Test("the secret of a key is the one published; it and what is below counts as exposed; the log says so")
    func secret() throws {
        let (_, vault, westend, key) = try Self.makeVault()
        try vault.increment(key.signer, in: westend.key, count: 1)
        let text = try vault.exportSecret(of: key.signer, in: westend.key)
        #expect(
            try text
                == TestVault.secret(
                    "secret:0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a:"
                        + westend.genesisHash.hex))
        let exposed = try vault.keys().filter(\.details.secretExposed).map(\.details.path)
        #expect(exposed == ["//Alice", "//Alice//0"])
        #expect(try vault.log().last?.entry.events.map(\.name) == ["SecretWasExported"])
        // A key that is made below later is exposed too; one beside is not.
        let below = try vault.deriveKey(seed: "demo", path: "//Alice/x", password: nil, network: westend)
        let beside = try vault.deriveKey(seed: "demo", path: "//Alicex", password: nil, network: westend)
        #expect(below.details.secretExposed && !beside.details.secretExposed)
        // Behind a soft junction it is the expanded key.
        #expect(try vault.exportSecret(of: below.signer, in: westend.key).count == 9 + 128 + 1 + 64)
    }

    @Test("a wrong password exports nothing, exposes nothing, and is logged")
    func secretOfPassworded() throws {
        let (_, vault, westend, _) = try Self.makeVault()
        let key = try vault.deriveKey(
            seed: "demo", path: "//Bob", password: TestVault.secret("right"), network: westend)
        for password in [nil, try TestVault.secret("wrong")] {
            #expect(throws: SignerError.wrongKeyPassword) {
                try vault.exportSecret(of: key.signer, in: westend.key, password: password)
            }
        }
        #expect(try vault.keys().allSatisfy { !$0.details.secretExposed })
        #expect(try vault.log().suffix(2).map(\.entry.events) == [[.wrongPassword], [.wrongPassword]])
        _ = try vault.exportSecret(of: key.signer, in: westend.key, password: TestVault.secret("right"))
        #expect(try vault.keys().filter(\.details.secretExposed).map(\.details.path) == ["//Bob"])
    }

    @Test("key sets are exported as another vault with the same seed imports them, without keys that have a password")
    func keySets() throws {
        let (_, vault, westend, _) = try Self.makeVault()
        _ = try vault.deriveKey(seed: "demo", path: "//hidden", password: TestVault.secret("p"), network: westend)
        let payload = try vault.keySetsExport(ofSeeds: ["demo"])
        guard case .derivations(let export) = try Payload(payload) else {
            Issue.record("not an export")
            return
        }
        #expect(export.features == [.bulkOperations, .dynamicDerivations])
        #expect(export.payload == payload)
        #expect(export.seeds[0].keys.contains { $0.path == "//Alice" })
        #expect(export.seeds[0].keys.allSatisfy { $0.path != "//hidden" })
        let other = try TestVault().withSeed()
        let imported = try other.importDerivations(other.propose(payload))
        #expect(imported.contains { $0.details.path == "//Alice" })
        #expect(throws: SignerError.seedNotFound(name: "nobody")) { try vault.keySetsExport(ofSeeds: ["nobody"]) }
        let two = DerivationsExport(seeds: export.seeds + export.seeds, features: nil).payload
        guard case .derivations(let read) = try Payload(two) else { throw PayloadError.noContent }
        #expect(read.seeds == export.seeds + export.seeds && read.features == nil)
    }

    @Test("a seed is named by its sr25519 root alone; the root of another scheme goes with its last network")
    func rootsOfOtherSchemes() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        let westend = try #require(bundle.networks.map(\.specs).first { $0.name == "westend" })
        for scheme in [SignatureScheme.ed25519, .ecdsa] {
            var specs = westend
            (specs.scheme, specs.title) = (scheme, "Westend \(scheme.name)")
            bundle.networks.append(NetworkBundle.Network(specs: specs, metadata: []))
        }
        let vault = try TestVault(bundle).withSeed()
        func root() throws -> MultiSigner? {
            let payload = try Payload(vault.keySetsExport(ofSeeds: ["demo"]))
            guard case .derivations(let export) = payload else { return nil }
            return export.seeds.first?.root
        }
        let (before, known) = try (vault.keys(), root())
        #expect(known == .sr25519(DerivationsPayload.root))
        let others = bundle.networks.map(\.specs).filter { $0.scheme != .sr25519 }
        let roots = try others.map { network in
            (try vault.deriveKey(seed: "demo", path: "", password: nil, network: network), network)
        }
        #expect(try vault.keys().filter(\.details.isRoot).count == 3)
        #expect(try root() == known)
        for (key, network) in roots { try vault.removeKeys([key.signer], from: network.key) }
        #expect(try vault.keys() == before)
        // Removing the network takes it along, too.
        _ = try vault.deriveKey(seed: "demo", path: "", password: nil, network: others[0])
        _ = try vault.deriveKey(seed: "demo", path: "", password: nil, network: westend)
        try vault.removeNetwork(westend.genesisHash)
        #expect(try vault.keys().filter(\.details.isRoot).map(\.signer) == [try #require(known)])
    }

    @Test("having been online is noted and logged until it is acknowledged, also over a restart")
    func danger() throws {
        let made = try TestVault()
        var vault: Vault? = try made.withSeed()
        #expect(try vault?.wasOnline() == false)
        try vault?.note(.wasOnline)
        vault = nil
        vault = try made.open()
        #expect(try vault?.wasOnline() == true)
        try vault?.note(.detectorFailed)
        try vault?.acknowledgeOnline()
        #expect(try vault?.wasOnline() == false)
        #expect(
            try vault?.log().suffix(3).map(\.entry.events) == [
                [.deviceWasOnline], [.systemEntry("network detector failed")], [.resetDangerRecord],
            ])
    }

    @Test("many keys that are made at once take one walk over those that are there, and get their marks")
    func walks() throws {
        let (_, vault, westend, key) = try Self.makeVault()
        _ = try vault.exportSecret(of: key.signer, in: westend.key)
        let walks = Mutex(0)
        try vault.database.write { trees in
            trees.connection.onStatement = { statement in
                if statement.contains("FROM \"addresses\" ORDER BY key") { walks.withLock { $0 += 1 } }
            }
            for number in 0..<20 {
                for path in ["\(key.details.path)//\(number)", "//apart//\(number)"] {
                    let signer = MultiSigner.sr25519(
                        Array("\(path)".utf8) + [UInt8](repeating: 0, count: 32 - path.utf8.count))
                    _ = try trees.enable(signer, seed: "demo", path: path, hasPassword: false, in: westend)
                }
            }
            trees.connection.onStatement = nil
        }
        #expect(walks.withLock { $0 } <= 1)
        let made = try vault.keys().filter { $0.details.path.contains("//1") || $0.details.path.contains("apart") }
        #expect(made.count { $0.details.secretExposed } == made.count { !$0.details.path.contains("apart") })
    }
}
