import KnownAnswers
import SignerKnownAnswers
import Substrate
import TestSupport
import Testing

@testable import Signer

/// The table of verifiers, case by case: what is here, what comes, and what has to become of it.
@Suite("The rules of updates")
struct UpdateRulesTests {
    private static let keys = AbstractStates.keys
    private static let omega = AbstractStates.omega
    private static func hash(_ text: String) -> Hash256 { AbstractStates.hash(text) }

    @Test("decide each case of the table as it says, and write nothing where it says error")
    func table() throws {
        let file = AnswerFile(folder: packageRoot, path: "Tests/Fixtures/signer-product/verifier-table.json")
        let cases = try file.content()
        let outcomes = Dictionary(grouping: cases.array) { $0["expect"]["outcome"].string }.mapValues(\.count)
        #expect(outcomes == ["stub": 73, "error": 330])
        var report = Report()
        try TableAnswers.check(cases, file: file, report: &report)
        #expect((report.passed, report.failed, report.skipped) == (403, 0, 0))
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

    @Test("answer a record that breaks two of them by the one that the specification has first")
    func order() throws {
        var other = Self.omega
        (other.name, other.title, other.genesisHash) = ("psi", "Psi", Self.hash("P"))
        var state = TrustState(
            general: nil, verifiers: [Self.omega.genesisHash: .dead],
            networks: [
                OrderedNetworkSpecs(specs: Self.omega, order: 0), OrderedNetworkSpecs(specs: other, order: 1),
            ], metadata: [:], types: nil)
        func refusal(_ change: (inout NetworkSpecs) -> Void) -> UpdateRefusal? {
            var specs = Self.omega
            change(&specs)
            do throws(UpdateRefusal) {
                _ = try UpdateRules.judge(Update(content: .specs(specs), signer: nil), by: state)
                return nil
            } catch {
                return error
            }
        }
        let genesis = Self.omega.genesisHash
        #expect(refusal { $0.decimals = 39 } == .specsMalformed(.decimals(39)))
        #expect(refusal { $0.name = "psi" } == .networkBlocked(genesis: genesis))
        state.verifiers = [:]
        #expect(refusal { $0.name = "psi" } == .unexpectedGenesisHash(genesis))
        state.verifiers = [genesis: .valid(.general)]
        #expect(
            refusal { ($0.name, $0.base58Prefix) = ("psi", 2) }
                == .specsDifferentName(known: "omega", given: "psi"))
        // Whoever is told of the lookalike first removes that network, and hears then that nothing comes of it.
        #expect(refusal { ($0.title, $0.base58Prefix) = ("Psi", 2) } == .specsDifferentPrefix(known: 1, given: 2))
        #expect(
            refusal { $0.title = "Psi" }
                == .networkLookalike(title: "Psi", other: "Psi", genesis: other.genesisHash))
        #expect(
            refusal { ($0.name, $0.title, $0.genesisHash) = ("psi", "Psi", Self.hash("Q")) }
                == .networkNameTaken(name: "psi", genesis: other.genesisHash))
    }

    @Test("keep as many networks as their order can count")
    func limit() throws {
        var state = TrustState(general: nil, verifiers: [:], networks: [], metadata: [:], types: nil)
        for number in 0..<UpdateRules.networkLimit {
            var specs = Self.omega
            (specs.name, specs.title) = ("omega\(number)", "Omega \(number)")
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
            let key = MetadataName(name: "omega", version: version)
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
