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
