import Airgap
import SecretMemory
import Substrate
import Testing

@testable import Signer

/// Updates through a whole vault: what is taken in, from whom, and what the log tells of it.
@Suite("Updates of a vault")
struct VaultUpdatesTests {
    /// A release without Westend, whose record and metadata then come by update.
    private static func makeVault(
        general: KeyPair?, hasPIN: Bool = false
    ) throws -> (TestVault, westend: NetworkBundle.Network) {
        var bundle = try NetworkBundle.shipped()
        let index = try #require(bundle.networks.firstIndex { $0.specs.name == "westend" })
        let westend = bundle.networks.remove(at: index)
        bundle.generalVerifier = Verifier(general?.multiSigner)
        return (try TestVault(bundle, hasPIN: hasPIN), westend)
    }

    static func pair(_ byte: UInt8, _ scheme: SignatureScheme = .sr25519) throws -> KeyPair {
        var seed = [UInt8](repeating: byte, count: 32)
        return try KeyPair(scheme: scheme, miniSecret: SecretBytes(movingFrom: &seed))
    }

    static func payload(_ content: UpdatePayload.Content, by pair: KeyPair?) throws -> [UInt8] {
        UpdatePayload.payload(
            content, signature: try pair.map { ($0.multiSigner, try $0.sign(content.signedBytes)) })
    }

    /// Proposes and says yes.
    @discardableResult
    static func take(_ content: UpdatePayload.Content, by pair: KeyPair?, in vault: Vault) throws -> UpdatePreview {
        let proposal = try vault.propose(payload(content, by: pair))
        guard case .update(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
        try vault.acceptUpdate(proposal)
        return preview
    }

    static func refusal(_ content: UpdatePayload.Content, by pair: KeyPair?, in vault: Vault) -> String? {
        let before = try? vault.state()
        var code: String?
        do { _ = try vault.propose(payload(content, by: pair)) } catch let refused as RefusedPayload {
            code = refused.code
        } catch { return "\(error)" }
        return (try? vault.state()) == before ? code : "something was written"
    }

    private static func metadata(_ network: NetworkBundle.Network) -> UpdatePayload.Content {
        .metadata(network.metadata[0], genesisHash: network.specs.genesisHash)
    }

    @Test("within a session a person is asked before an update is taken in, and nothing waits behind it")
    func session() throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general, hasPIN: true)
        try made.beginSession()
        let vault = try made.open()
        let payload = try Self.payload(.specs(westend.specs), by: general)
        let proposal = try vault.propose(payload)
        made.person.pin = try TestVault.secret("wrong one")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try vault.acceptUpdate(proposal) }
        #expect(try vault.pendingPayload() == payload)
        made.person.pin = made.pin
        try vault.acceptUpdate(proposal)
        #expect(made.person.reasons == [.seeds, .seeds])
        #expect(try vault.pendingPayload() == nil)
    }

    @Test("a network comes with a verifier of its own, then its metadata; only that key may go on")
    func customVerifier() throws {
        let (general, own, stranger) = (try Self.pair(1), try Self.pair(2), try Self.pair(3))
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        #expect(Self.refusal(Self.metadata(westend), by: own, in: vault) == "LoadMetaUnknownNetwork")
        let preview = try Self.take(.specs(westend.specs), by: own, in: vault)
        #expect(preview.isNewNetwork && preview.voucher == .newCustom(own.multiSigner))
        #expect(preview.notices == ["NewCustomVerifier"])
        for key in [nil, general, stranger, try Self.pair(2, .ed25519)] {
            let code = Self.refusal(Self.metadata(westend), by: key, in: vault)
            #expect(code == (key == nil ? "NeedVerifier" : "LoadMetaVerifierChanged"))
        }
        try Self.take(Self.metadata(westend), by: own, in: vault)
        #expect(Self.refusal(Self.metadata(westend), by: own, in: vault) == "MetadataKnown")
        // Now a transaction of the network is read and signed.
        _ = try vault.deriveKey(seed: "demo", path: "//westend", password: nil, network: westend.specs)
        #expect(try made.sign(TestVault.transfer(), in: vault).signatures.count == 1)
        let stored = try #require(try vault.networkList().last)
        #expect(stored.trust == .custom(own.multiSigner) && stored.metadata.count == 1)
        #expect(stored.order == 3)
        let events = try vault.log().flatMap(\.entry.events).map(\.name)
        #expect(
            events.filter { $0.hasPrefix("Network") || $0.hasPrefix("Metadata") } == [
                "NetworkSpecsAdded", "NetworkVerifierSet", "MetadataAdded",
            ])
        #expect(try vault.verifyLog().count == vault.log().count)
    }

    @Test("that a key's secret left the vault stays known while its network is gone")
    func exposedMeanwhile() throws {
        let (general, own) = (try Self.pair(1), try Self.pair(2))
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        func derive(_ path: String) throws -> StoredKey {
            try vault.deriveKey(seed: "demo", path: path, password: nil, network: westend.specs)
        }
        try Self.take(.specs(westend.specs), by: own, in: vault)
        let key = try derive("//a")
        _ = try vault.exportSecret(of: key.signer, in: westend.specs.key)
        try vault.removeNetwork(westend.specs.genesisHash)
        #expect(try !vault.keys().contains { $0.signer == key.signer })
        try Self.take(.specs(westend.specs), by: own, in: vault)
        #expect(try derive("//a//b").details.secretExposed)
        #expect(try derive("//a").details.secretExposed)
    }

    @Test("a removed network stays pinned to its verifier; its keys leave it; roots and other networks stay")
    func removal() throws {
        let (general, own) = (try Self.pair(1), try Self.pair(2))
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        try Self.take(.specs(westend.specs), by: own, in: vault)
        try Self.take(Self.metadata(westend), by: own, in: vault)
        let key = try vault.deriveKey(seed: "demo", path: "//westend", password: nil, network: westend.specs)
        try vault.removeNetwork(westend.specs.genesisHash)
        #expect(try vault.keys().contains { $0.signer == key.signer } == false)
        #expect(try vault.keys().contains { $0.details.isRoot })
        #expect(try vault.networkList().map(\.order) == [0, 1, 2])
        #expect(
            try vault.absentNetworks() == [
                AbsentNetwork(genesisHash: westend.specs.genesisHash, trust: .custom(own.multiSigner))
            ])
        #expect(throws: RefusedPayload.self) { try vault.propose(TestVault.transfer()) }
        #expect(Self.refusal(.specs(westend.specs), by: nil, in: vault) == "NeedVerifier")
        #expect(Self.refusal(.specs(westend.specs), by: try Self.pair(3), in: vault) == "AddSpecsVerifierChanged")
        #expect(Self.refusal(Self.metadata(westend), by: own, in: vault) == "LoadMetaNoSpecs")
        try Self.take(.specs(westend.specs), by: own, in: vault)
        #expect(try vault.networkList().count == 4)
        #expect(throws: SignerError.networkNotFound(String(repeating: "00", count: 32))) {
            try vault.removeNetwork(Hash256(unchecked: [UInt8](repeating: 0, count: 32)))
        }
        #expect(try vault.verifyLog().count == vault.log().count)
    }

    /// Metadata are kept by name: what comes for a network that nobody vouches for would be read for the other.
    @Test("a network does not take the name of another, whoever signs, until that one is gone")
    func takenName() throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.open()
        var copy = westend.specs
        copy.genesisHash = Hash256(unchecked: [UInt8](repeating: 7, count: 32))
        (copy.name, copy.title) = ("kusama", "Another parachain")
        for key in [nil, general, try Self.pair(2)] {
            #expect(Self.refusal(.specs(copy), by: key, in: vault) == "NetworkNameTaken")
        }
        try vault.removeNetwork(vault.network(named: "kusama").genesisHash)
        try Self.take(.specs(copy), by: nil, in: vault)
        #expect(try vault.network(named: "kusama").genesisHash == copy.genesisHash)
    }

    @Test(
        "a network does not take a title that looks like another's, whoever signs",
        arguments: [
            ("Westend", "westendb"), ("westend", "other"), ("Ｗestend", "other"), ("West end", "other"),
            ("KUSAMA", "other"),
        ])
    func lookalikes(title: String, name: String) throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.open()
        try Self.take(.specs(westend.specs), by: general, in: vault)
        var copy = westend.specs
        copy.genesisHash = Hash256(unchecked: [UInt8](repeating: 7, count: 32))
        (copy.name, copy.title) = (name, title)
        for key in [nil, general, try Self.pair(2)] {
            #expect(Self.refusal(.specs(copy), by: key, in: vault) == "NetworkLookalike")
        }
        #expect(try vault.networks().count == 4)
        // A new title of the network that is there takes nothing from another.
        copy.genesisHash = westend.specs.genesisHash
        (copy.name, copy.title) = (westend.specs.name, "westend")
        try Self.take(.specs(copy), by: general, in: vault)
    }

    @Test("two networks of one name, in a vault of before, sign nothing and take nothing until one is removed")
    func sharedName() throws {
        let general = try Self.pair(1)
        var bundle = try NetworkBundle.shipped()
        let westend = try #require(bundle.networks.first { $0.specs.name == "westend" })
        var copy = westend.specs
        copy.genesisHash = Hash256(unchecked: [UInt8](repeating: 7, count: 32))
        bundle.networks.append(NetworkBundle.Network(specs: copy, metadata: []))
        bundle.generalVerifier = Verifier(general.multiSigner)
        let made = try TestVault(bundle)
        let vault = try made.withSeed()
        #expect(throws: RefusedPayload.networkNameTaken(name: "westend", genesis: copy.genesisHash)) {
            try vault.propose(TestVault.transfer())
        }
        let ofCopy = UpdatePayload.Content.metadata(westend.metadata[0], genesisHash: copy.genesisHash)
        #expect(Self.refusal(ofCopy, by: general, in: vault) == "NetworkNameTaken")
        let version = try #require(try vault.metadataVersions(of: westend.specs).first)
        #expect(throws: RefusedPayload.self) { try vault.content(of: .metadata(name: "westend", version: version)) }
        #expect(try vault.breaches(whileWaiting: false).filter { $0.contains("also the name") }.count == 2)

        try vault.removeNetwork(copy.genesisHash)
        #expect(throws: RefusedPayload.noMetadata(network: "westend")) { try vault.propose(TestVault.transfer()) }
        try Self.take(Self.metadata(westend), by: general, in: vault)
        #expect(try made.sign(TestVault.transfer(), in: vault).signatures.count == 1)
        #expect(try vault.breaches(whileWaiting: false) == [])
    }

    /// The payload of a transfer on Westend, read as one of a network whose genesis is what stands for the block there.
    @Test("a payload with the genesis of another network is refused, unless the general verifier vouches for its own")
    func foreignGenesis() throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        let (payload, genesis) = (try TestVault.transfer(), westend.specs.genesisHash)
        var mine = westend.specs
        (mine.name, mine.title) = ("thieves", "Thieves")
        mine.genesisHash = Hash256(unchecked: Array(payload.dropLast(32).suffix(32)))
        try Self.take(.specs(mine), by: nil, in: vault)
        try Self.take(.specs(westend.specs), by: general, in: vault)
        // A network's metadata have its name.
        var blob = westend.metadata[0]
        let stated = try #require(blob.firstRange(of: [7 << 2] + Array("westend".utf8)))
        blob.replaceSubrange(stated.dropFirst(), with: Array(mine.name.utf8))
        try Self.take(.metadata(blob, genesisHash: mine.genesisHash), by: nil, in: vault)
        _ = try vault.deriveKey(seed: "demo", path: "//westend", password: nil, network: mine)
        let read = Array(payload.dropLast(32)) + mine.genesisHash.bytes
        let refused = RefusedPayload.foreignGenesis(network: mine.name, other: "westend", genesis: genesis)
        #expect(throws: refused) { try vault.propose(read) }
        #expect("\(refused)".contains(genesis.hex))

        // Of its own verifier the same; of the general one it is read, as far as its metadata go.
        try Self.take(.specs(mine), by: try Self.pair(2), in: vault)
        try Self.take(.metadata(blob, genesisHash: mine.genesisHash), by: try Self.pair(2), in: vault)
        #expect(throws: refused) { try vault.propose(read) }
        try Self.take(.specs(mine), by: general, in: vault)
        try Self.take(.metadata(blob, genesisHash: mine.genesisHash), by: general, in: vault)
        let unread = #expect(throws: RefusedPayload.self) { try vault.propose(read) }
        #expect(unread?.code == "AllExtensionsParsingFailed")
    }

    @Test("a blocked network takes nothing, whoever signs, until it is unblocked, and is unknown then")
    func blocking() throws {
        let general = try Self.pair(1)
        let (made, _) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        let kusama = try #require(try vault.networkList().first { $0.specs.name == "kusama" })
        try vault.blockNetwork(kusama.specs.genesisHash)
        #expect(try vault.absentNetworks().map(\.trust) == [.blocked])
        for key in [nil, general, try Self.pair(2)] {
            #expect(Self.refusal(.specs(kusama.specs), by: key, in: vault) == "NetworkBlocked")
        }
        try vault.unblockNetwork(kusama.specs.genesisHash)
        #expect(throws: SignerError.self) { try vault.unblockNetwork(kusama.specs.genesisHash) }
        #expect(try vault.absentNetworks().isEmpty)
        try Self.take(.specs(kusama.specs), by: general, in: vault)
        #expect(try vault.networkList().last?.trust == .general)
    }

    @Test("the first general verifier removes what nobody vouched for, and says so before")
    func firstGeneral() throws {
        let signer = try Self.pair(4, .ed25519)
        let (made, westend) = try Self.makeVault(general: nil)
        let vault = try made.withSeed()
        let keys = try vault.keys().count
        let preview = try Self.take(.specs(westend.specs), by: signer, in: vault)
        #expect(preview.voucher == .newGeneral(signer.multiSigner))
        #expect(preview.removal.networks.count == 3 && preview.removal.metadata.count == 3)
        #expect(try vault.networkList().map(\.specs.name) == ["westend"])
        #expect(try vault.generalVerifier() == signer.multiSigner)
        // Addresses wait for their networks to come back.
        #expect(try vault.keys().count == keys)
        let entry = try #require(try vault.log().last)
        #expect(entry.isDangerous)
        #expect(entry.entry.events.first?.name == "Warning")
        #expect(
            entry.entry.events.suffix(3).map(\.name) == [
                "GeneralVerifierSet", "NetworkSpecsAdded", "NetworkVerifierSet",
            ])
    }

    @Test("a change of the vault between look and yes refuses the yes")
    func changedMeanwhile() throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.withSeed()
        let proposal = try vault.propose(Self.payload(.specs(westend.specs), by: general))
        _ = try vault.deriveKey(
            seed: "demo", path: "//other", password: nil, network: vault.network(named: "kusama"))
        #expect(throws: SignerError.checksumMismatch) { try vault.acceptUpdate(proposal) }
        #expect(try vault.networkList().count == 3)
        // Nor does a signature come of it, nor a second yes.
        #expect(throws: SignerError.nothingPending) { try vault.acceptUpdate(proposal) }
        var again = try vault.propose(Self.payload(.specs(westend.specs), by: general))
        #expect(throws: SignerError.notToBeSigned) { try vault.sign(&again, comment: "") }
        try vault.acceptUpdate(again)
        #expect(try vault.networkList().count == 4)
    }

    @Test("cosmetic fields change in place and keep the order; others refuse the record")
    func changes() throws {
        let general = try Self.pair(1)
        let (made, _) = try Self.makeVault(general: general)
        let vault = try made.open()
        var specs = try #require(try vault.networkList().first).specs
        specs.title = "Polkadot, renamed"
        specs.color = "#123456"
        let preview = try Self.take(.specs(specs), by: general, in: vault)
        #expect(preview.differences.map(\.field) == ["title", "color"])
        #expect(try vault.networkList().first?.specs == specs)
        #expect(Self.refusal(.specs(specs), by: general, in: vault) == "SpecsKnown")
        var other = specs
        other.decimals = 11
        #expect(Self.refusal(.specs(other), by: general, in: vault) == "ImportantSpecsChanged")
    }

    @Test(
        "a record that cannot be one is refused by name",
        arguments: [
            SpecsFault.empty(.name), .empty(.title), .name, .controlCharacters(.title), .path, .decimals(39),
            .prefix(16384), .prefix(46), .prefix(47), .tooLong(.title, limit: 256), .mixedAlphabets(.title),
            .genesis(.name), .genesis(.title),
        ])
    func malformed(fault: SpecsFault) throws {
        let general = try Self.pair(1)
        let (made, westend) = try Self.makeVault(general: general)
        let vault = try made.open()
        var specs = westend.specs
        switch fault {
        case .empty(.name): specs.name = ""
        case .empty: specs.title = ""
        case .name: specs.name = "Westend"
        case .controlCharacters: specs.title = "West\u{202e}end"
        case .path: specs.pathID = "//westend///password"
        case .decimals: specs.decimals = 39
        case .prefix(let prefix): specs.base58Prefix = prefix
        case .mixedAlphabets: specs.title = "Westеnd"
        case .genesis(.name): specs.name = String(repeating: "9a", count: 32)
        case .genesis: specs.title = "0x" + String(repeating: "9A", count: 32) + "/sr25519"
        case .tooLong: specs.title = String(repeating: "w", count: 257)
        }
        #expect(throws: RefusedPayload.update(.specsMalformed(fault))) {
            try vault.propose(Self.payload(.specs(specs), by: general))
        }
        #expect(Self.refusal(.specs(specs), by: general, in: vault) == "SpecsMalformed")
    }

    @Test("metadata and types are removed by name; what is not there is refused")
    func removingParts() throws {
        let (made, _) = try Self.makeVault(general: try Self.pair(1))
        let vault = try made.open()
        let kusama = try #require(try vault.networkList().first { $0.specs.name == "kusama" })
        let version = try #require(kusama.metadata.first).version
        try vault.removeMetadata(name: "kusama", version: version)
        #expect(throws: SignerError.metadataNotFound(name: "kusama", version: version)) {
            try vault.removeMetadata(name: "kusama", version: version)
        }
        #expect(throws: SignerError.typesNotFound) { try vault.removeTypes() }
        try Self.take(.types(TypesTable.signable()), by: try Self.pair(1), in: vault)
        #expect(try vault.typesHash() == TypesTable.signable().hash)
        #expect(Self.refusal(.types(TypesTable.signable()), by: try Self.pair(1), in: vault) == "TypesKnown")
        try vault.removeTypes()
        #expect(try vault.typesHash() == nil)
        #expect(
            try vault.log().suffix(2).map { $0.entry.events.map(\.name) } == [
                ["Warning", "TypesAdded"], ["TypesRemoved"],
            ])
    }

    @Test("networks are put in another order without gaps")
    func order() throws {
        let (made, _) = try Self.makeVault(general: try Self.pair(1))
        let vault = try made.open()
        let before = try vault.networkList().map(\.specs.key)
        try vault.moveNetwork(before[2], to: 0)
        #expect(try vault.networkList().map(\.specs.key) == [before[2], before[0], before[1]])
        try vault.moveNetwork(before[2], to: 99)
        #expect(try vault.networkList().map(\.specs.key) == before)
        #expect(try vault.networkList().map(\.order) == [0, 1, 2])
    }
}

extension TypesTable {
    /// As long as what somebody signs has to be.
    static func signable(_ name: String = "Weight") -> TypesTable {
        TypesTable(entries: (10..<40).map { .init(name: "\(name)\($0)", description: .alias("u64")) })
    }
}
