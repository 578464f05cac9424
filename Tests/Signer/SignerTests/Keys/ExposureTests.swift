import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// Keys whose secret left the vault, and what follows for others.
@Suite("Exposed keys")
struct ExposureTests {
    private static func key(
        _ number: UInt8, path: String, hasPassword: Bool = false, isExposed: Bool = false, seed: String = "demo",
        scheme: SignatureScheme = .sr25519
    ) -> StoredKey {
        StoredKey(
            signer: .sr25519([UInt8](repeating: number, count: 32)),
            details: AddressDetails(
                seedName: seed, path: path, hasPassword: hasPassword,
                networks: [NetworkKey(scheme: scheme, genesisHash: Blake2b.hash256([]))], scheme: scheme,
                secretExposed: isExposed))
    }

    private static func vault(_ keys: [StoredKey]) throws -> Vault {
        try Vault.lookOnly(NetworkBundle(networks: [], generalVerifier: .none), keys: keys)
    }

    @Test("a row that an exposed one gives and that has no mark is refused by name, and no other is")
    func mismatch() throws {
        let exposed = Self.key(1, path: "//a", isExposed: true)
        for (path, hasPassword) in [("//a//b", false), ("//a/b", false), ("//a//b", true), ("//a", true)] {
            let vault = try Self.vault([exposed, Self.key(2, path: path, hasPassword: hasPassword)])
            #expect(throws: SignerError.secretExposedMismatch(seed: "demo", path: path)) { try vault.keys() }
            let marked = Self.key(2, path: path, hasPassword: hasPassword, isExposed: true)
            #expect(try Self.vault([exposed, marked]).keys().count == 2)
        }
        for other in [
            Self.key(2, path: "//ab"), Self.key(2, path: ""), Self.key(2, path: "//a//b", seed: "other"),
        ] {
            #expect(try Self.vault([exposed, other]).keys().count == 2)
        }
    }

    @Test("a payload is not read with rows that are marked wrongly")
    func payloads() throws {
        let vault = try Self.vault([Self.key(1, path: "//a", isExposed: true), Self.key(2, path: "//a//b")])
        let error = #expect(throws: SignerError.self) { try vault.process(TestVault.transfer()) }
        #expect(error?.code == "SecretExposedMismatch")
    }

    @Test("what is above a soft child that is exposed, up to the next hard junction, is at risk with all below it")
    func atRisk() {
        let keys = [
            Self.key(1, path: ""), Self.key(2, path: "//a"), Self.key(3, path: "//a/b"),
            Self.key(4, path: "//a/b/c", isExposed: true), Self.key(5, path: "//a/b//d"), Self.key(6, path: "//a/x"),
            Self.key(7, path: "//a/b", hasPassword: true), Self.key(8, path: "//a/b", seed: "other"),
        ]
        let atRisk = [keys[1], keys[2], keys[4], keys[5], keys[6]]
        #expect(SecretExposure.atRisk(among: keys) == Set(atRisk.map(\.signer)))
        // Of the whole seed where nothing but soft junctions follow the root, whether that is stored or not; other
        // schemes derive from the phrase.
        let soft = [
            Self.key(1, path: ""), Self.key(2, path: "/b", isExposed: true), Self.key(3, path: "//c//d"),
            Self.key(4, path: "//c", scheme: .ed25519),
        ]
        #expect(SecretExposure.atRisk(among: soft) == [soft[0].signer, soft[2].signer])
        #expect(SecretExposure.atRisk(among: Array(soft.dropFirst())) == [soft[2].signer])
        let hard = [Self.key(1, path: ""), Self.key(2, path: "//b", isExposed: true)]
        #expect(SecretExposure.atRisk(among: hard).isEmpty)
        #expect(SecretExposure.atRisk(among: []).isEmpty)
    }

    @Test("how many keys go with a secret is known before it is handed out")
    func givenAway() {
        let keys = [
            Self.key(1, path: ""), Self.key(2, path: "//a"), Self.key(3, path: "//a/b"), Self.key(4, path: "//a//c"),
            Self.key(5, path: "//d"), Self.key(6, path: "//d", seed: "other"),
        ]
        let counts = keys.map { SecretExposure.countGivenAway(with: $0, among: keys) }
        #expect(counts == [4, 2, 2, 0, 0, 0])
        #expect(keys.map { SecretExposure.givesParent($0.details) } == [false, false, true, false, false, false])
        var exposed = keys
        exposed[2].details.secretExposed = true
        #expect(SecretExposure.countGivenAway(with: exposed[1], among: exposed) == 0)
    }

    @Test("what a key signs that is at risk has the risk ExposedKey, stored or not")
    func signing() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        let child = try vault.deriveKey(seed: "demo", path: "/soft", password: nil, network: westend)
        func risks() throws -> [RiskRule] { try vault.process(TestVault.transfer()).risks.map(\.rule) }
        #expect(try !risks().contains(.exposedKey))
        _ = try vault.exportSecret(of: child.signer, in: westend.key)
        #expect(try risks().contains(.exposedKey))
    }

    @Test("a message has the risk ExposedKey too, of a key that is out and of one at risk, for a network and for any")
    func messages() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        let parent = try vault.deriveKey(seed: "demo", path: "//a", password: nil, network: westend)
        let child = try vault.deriveKey(seed: "demo", path: "//a/soft", password: nil, network: westend)
        let text = Array("<Bytes>\u{202e}hello</Bytes>".utf8)
        func payloads(_ key: StoredKey) -> [[UInt8]] {
            [[3] + key.signer.publicKey + text + westend.genesisHash.bytes, [8] + key.signer.publicKey + text]
                .map { [0x53, 1] + $0 }
        }
        for payload in payloads(child) { #expect(try vault.process(payload).confirmations.isEmpty) }
        _ = try vault.exportSecret(of: child.signer, in: westend.key)
        for payload in payloads(child) + payloads(parent) {
            let answer = try vault.process(payload)
            #expect(answer.risks.map(\.rule) == [.exposedKey, .textInArguments])
            #expect(answer.risks.map(\.severity) == [.danger, .warn])
            let author = try #require(answer.requests.first).author
            #expect(answer.confirmations.map(\.text) == [String(author.base58.suffix(5))])
            #expect(throws: SignerError.riskNotConfirmed) { try test.sign(payload, in: vault) }
            let confirmations = answer.confirmations.map(\.text)
            #expect(try test.sign(payload, in: vault, confirmations: confirmations).signatures.count == 1)
        }
    }

    @Test("a parent really follows from the secret of a soft child: the notice is no caution without need")
    func whatIsExported() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        _ = try vault.deriveKey(seed: "demo", path: "//a", password: nil, network: westend)
        let child = try vault.deriveKey(seed: "demo", path: "//a/soft", password: nil, network: westend)
        let text = try vault.exportSecret(of: child.signer, in: westend.key)
        // 64 bytes: the scalar from which the parent's is one subtraction away.
        #expect(text.count == "secret:0x".utf8.count + 128 + 1 + 64)
        let keys = try vault.keys()
        let atRisk = SecretExposure.atRisk(among: keys)
        #expect(keys.filter { atRisk.contains($0.signer) }.map(\.details.path) == ["//a"])
        #expect(SecretExposure.givesParent(child.details))
        #expect(keys.filter(\.details.secretExposed).map(\.details.path) == ["//a/soft"])
    }

    @Test("a key whose secret left the vault has its mark, and gives it, after it was removed and is derived again")
    func removedAndDerivedAgain() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        func derive(_ path: String) throws -> StoredKey {
            try vault.deriveKey(seed: "demo", path: path, password: nil, network: westend)
        }
        let key = try derive("//a")
        let shown = try vault.keys().map(\.signer)
        _ = try vault.exportSecret(of: key.signer, in: westend.key)
        try vault.removeKeys([key.signer], from: westend.key)
        #expect(try vault.keys().map(\.signer) == shown.filter { $0 != key.signer }, "it is in no list")
        #expect(try vault.seedSummaries().map(\.keyCount) == [shown.count - 1])
        let transfer = try TestVault.transfer(author: Hex.encode(key.signer.publicKey))
        if case .read = try vault.process(transfer).action {} else { Issue.record("it signs nothing") }
        #expect(try derive("//a//b").details.secretExposed)
        #expect(try derive("//a").details.secretExposed)
        #expect(try !derive("//c").details.secretExposed)
        #expect(try vault.breaches(whileWaiting: false) == [])
        // A key that is not exposed goes altogether, and everything goes with its seed.
        let rows = try vault.keyRows().count
        try vault.removeKeys([derive("//d").signer], from: westend.key)
        #expect(try vault.keyRows().count == rows)
        try vault.removeKeys([key.signer], from: westend.key)
        try vault.removeSeed(named: "demo")
        #expect(try vault.keyRows().isEmpty)
    }

    @Test("a soft child that was removed after its secret had left the vault puts its parent at risk all the same")
    func removedChild() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        let parent = try vault.deriveKey(seed: "demo", path: "//a", password: nil, network: westend)
        let child = try vault.deriveKey(seed: "demo", path: "//a/soft", password: nil, network: westend)
        _ = try vault.exportSecret(of: child.signer, in: westend.key)
        try vault.removeKeys([child.signer], from: westend.key)
        #expect(try SecretExposure.atRisk(among: vault.keyRows()) == [parent.signer])
        let transfer = try TestVault.transfer(author: Hex.encode(parent.signer.publicKey))
        #expect(try vault.process(transfer).risks.map(\.rule).contains(.exposedKey))
    }

    /// Paths of few junctions, so that many are above others, some in two spellings, and marks that join a slash.
    private static func randomKeys(_ count: Int, _ random: inout some RandomNumberGenerator) -> [StoredKey] {
        let junctions = ["/a", "//a", "/b", "//b", "//a\u{338}", "/\u{338}c", "//1", "//01"]
        return (0..<count).map { number in
            let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in junctions.randomElement(using: &random)! }
            return key(
                UInt8(number), path: path.joined(), hasPassword: .random(using: &random),
                isExposed: Int.random(in: 0..<4, using: &random) == 0,
                seed: ["demo", "other"].randomElement(using: &random)!,
                scheme: [.sr25519, .ed25519].randomElement(using: &random)!)
        }
    }

    @Test("what exposed keys give away together is what one of them gives away, for places of all kinds")
    func together() {
        var random = SplitMix64(state: 12)
        for _ in 0..<200 {
            let keys = Self.randomKeys(40, &random)
            let exposed = ExposedKeys(keys)
            for key in keys {
                let details = key.details
                let isReached = keys.map(\.details).contains { other in
                    SecretExposure.reaches(
                        from: other, path: details.path, hasPassword: details.hasPassword, seed: details.seedName)
                }
                #expect(exposed.reach(key) == isReached, "\(details)")
            }
        }
    }

    @Test("at risk is what is below a place from which an exposed key is reached softly, for places of all kinds")
    func atRiskTogether() {
        var random = SplitMix64(state: 13)
        for _ in 0..<200 {
            let keys = Self.randomKeys(40, &random)
            let expected = keys.filter { key in
                key.details.scheme == .sr25519 && !key.details.secretExposed
                    && keys.contains { Self.endangers($0.details, key.details) }
            }
            #expect(SecretExposure.atRisk(among: keys) == Set(expected.map(\.signer)))
        }
    }

    /// Whether a key is at or below a place from which an exposed one is reached by junctions none of which is hard.
    private static func endangers(_ exposed: AddressDetails, _ key: AddressDetails) -> Bool {
        guard exposed.secretExposed, exposed.scheme == .sr25519 else { return false }
        let path = Array(exposed.path.utf8)
        let slash = UInt8(ascii: "/")
        return path.indices.contains { end in
            let rest = path[end...]
            guard rest.first == slash, path[..<end].last != slash,
                !zip(rest, rest.dropFirst()).contains(where: { $0 == slash && $1 == slash })
            else { return false }
            var parent = exposed
            parent.path = String(decoding: path[..<end], as: UTF8.self)
            return SecretExposure.reaches(
                from: parent, path: key.path, hasPassword: key.hasPassword, seed: key.seedName)
        }
    }

    @Test("of 200,000 keys, half of them exposed, the exposure is judged in less than a minute")
    func manyKeys() throws {
        let keys = (0..<200_000).map { number in
            let isExposed = number % 2 == 0
            return StoredKey(
                signer: .sr25519(Self.publicKey(number)),
                details: AddressDetails(
                    seedName: "demo", path: "//\(isExposed ? "out" : "kept")//\(number)", hasPassword: false,
                    networks: [], scheme: .sr25519, secretExposed: isExposed))
        }
        let time = try ProcessorTime.measure {
            try SecretExposure.check(keys)
            #expect(SecretExposure.atRisk(among: keys).isEmpty)
        }
        #expect(time < .seconds(60))
    }

    private static func publicKey(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(number)) { Array($0) } + [UInt8](repeating: 7, count: 24)
    }
}
