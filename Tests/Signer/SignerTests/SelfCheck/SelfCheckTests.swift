import Foundation
import SecretMemory
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("The self check")
struct SelfCheckTests {
    @Test("every primitive gives its published answer")
    func primitives() {
        let lines = PrimitiveCheck.lines()
        #expect(lines.map(\.code) == ["Derive", "Sign", "Verify", "Scrypt", "SecretBox", "Random"])
        for line in lines { #expect(line.status == .ok, "\(line)") }
    }

    @Test("an answer that is another, or an error, is a failure that says so")
    func failures() {
        for line in [
            PrimitiveCheck.line("Derive", text: "keys are derived") { false },
            PrimitiveCheck.line("Derive", text: "keys are derived") { throw SignerError.nothingPending },
        ] {
            #expect(line.status == .fail && line.text.contains("keys are derived"))
        }
    }

    /// Randomness that is none.
    struct Broken: RandomSource {
        var name: String { "broken" }
        var byte: @Sendable (Int) -> UInt8
        var fault: RandomFault?

        func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
            if let fault { throw fault }
            for index in memory.indices { memory[index] = byte(index) }
        }
    }

    @Test("zeros, a counter, a repeated block and a source that gives nothing are no randomness")
    func randomness() {
        let sources = [
            Broken { _ in 0 }, Broken { UInt8(truncatingIfNeeded: $0) },
            Broken { UInt8(truncatingIfNeeded: ($0 % 16) * 151 + 77) }, Broken { _ in .random(in: 0...127) },
        ]
        for source in sources { #expect(PrimitiveCheck.random(source).status == .fail) }
    }

    private static func line(_ code: String, of lines: [CheckLine]) throws -> CheckLine {
        try #require(lines.first { $0.code == code })
    }

    @Test("a new vault is in order, and tells its digests")
    func inOrder() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let lines = try vault.selfCheck()
        #expect(
            lines.map(\.code) == [
                "Database", "Log", "NoMetadata", "OldMetadata", "Prefixes", "NetworkPolicy", "HiddenRows",
            ])
        for line in lines { #expect(line.status == .ok, "\(line)") }
        #expect(lines[0].text.contains(Hex.encode(try vault.state())))
        #expect(lines[1].text.contains(Hex.encode(try vault.verifyLog().digest)))
    }

    @Test("keys without their seed, and networks without metadata, are named")
    func missing() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.seeds.remove("demo")
        try vault.database.write { try $0.removeAll(.metadata) }
        let lines = try vault.selfCheck()
        let (hidden, bare) = (try Self.line("HiddenRows", of: lines), try Self.line("NoMetadata", of: lines))
        #expect(hidden.status == .warn && hidden.text.contains("demo (5)"))
        #expect(bare.status == .warn && bare.text.contains("Westend") && bare.text.contains("Polkadot"))
    }

    @Test("a network whose addresses have another prefix than its chain's is a failure; unknown chains are named")
    func prefixes() throws {
        var bundle = try NetworkBundle.shipped()
        bundle.networks = Array(bundle.networks.prefix(2))
        var own = bundle.networks[1].specs
        (own.genesisHash, own.name, own.title, own.base58Prefix) = (
            try #require(Hash256([UInt8](repeating: 7, count: 32))), "own", "Own", 77
        )
        bundle.networks.append(NetworkBundle.Network(specs: own, metadata: []))
        let known = try Self.line("Prefixes", of: TestVault(bundle).open(.read).selfCheck())
        #expect(known.status == .ok && known.text.contains("Own (77)") && !known.text.contains("Kusama"))
        bundle.networks[2].specs.base58Prefix = 46
        let unwritten = try Self.line("Prefixes", of: TestVault(bundle).open(.read).selfCheck())
        #expect(unwritten.status == .fail && unwritten.text.contains("Own (46)"), "\(unwritten)")
        bundle.networks[1] = NetworkBundle.Network(specs: bundle.networks[1].specs, metadata: [])
        bundle.networks[1].specs.base58Prefix = 42
        let wrong = try Self.line("Prefixes", of: TestVault(bundle).open(.read).selfCheck())
        #expect(wrong.status == .fail && wrong.text.contains("Kusama has 42 instead of 2"), "\(wrong)")
    }

    @Test("a policy that lets something pass is a warning that names it, until it is strict again")
    func policy() throws {
        let vault = try TestVault().open()
        func line() throws -> CheckLine { try Self.line("NetworkPolicy", of: vault.selfCheck()) }
        #expect(try line().status == .ok)
        for (allowance, word) in [
            (NetworkAllowance(ignoresRadios: true), "ignore-radios"),
            (NetworkAllowance(ignoresGadgets: true), "ignore-gadgets"),
            (NetworkAllowance(allowsNetwork: true), "network-allowed"),
        ] {
            try vault.setNetworkAllowance(allowance)
            #expect(try line().status == .warn && line().text.contains("\(word). "), "\(word)")
        }
        try vault.setNetworkAllowance(.strict)
        #expect(try line().status == .ok)
    }

    @Test("metadata are old 180 days after the log says that they were loaded")
    func old() throws {
        let test = try TestVault()
        _ = try test.open()
        func status(days: Double) throws -> CheckLine {
            let time = TestVault.time + days * 86_400
            let vault = try Vault.open(test.folder, for: .read, unlocking: test.unlocking, now: { time })
            return try Self.line("OldMetadata", of: vault.selfCheck())
        }
        #expect(try status(days: 180).status == .ok)
        let old = try status(days: 180.001)
        #expect(old.status == .warn && old.text.contains("westend9122"))
        // Loaded once more.
        do {
            let vault = try Vault.open(test.folder, unlocking: test.unlocking, now: { TestVault.time + 100 * 86_400 })
            let hash = ContactTests.westend
            try vault.database.write { trees in
                try HistoryLog.append(
                    [.metadataAdded(Event.MetadataRecord(name: "westend", version: 9122, hash: hash))],
                    at: TestVault.time + 100 * 86_400, to: trees)
            }
        }
        #expect(try !status(days: 181).text.contains("westend9122"))
    }

    @Test("a log that was changed is a failure, and the rest is told all the same")
    func damagedLog() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.database.write { trees in try trees.changeInventory { $0.log = HistoryLog.emptyDigest } }
        let lines = try vault.selfCheck()
        #expect(try Self.line("Log", of: lines).status == .fail)
        #expect(try Self.line("HiddenRows", of: lines).status == .ok)
    }
}
