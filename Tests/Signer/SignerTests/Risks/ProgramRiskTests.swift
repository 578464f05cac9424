import Substrate
import Testing
import TextForms

@testable import Signer

/// What XCM programs do beside what their arguments name.
@Suite("Risks of XCM programs")
struct ProgramRiskTests {
    private let chain: Chain

    init() throws { chain = try Chain("statemint") }

    private func answer(_ call: [UInt8], on chain: Chain? = nil) throws -> Answer {
        let chain = chain ?? self.chain
        let answer = try chain.vault().process(chain.payload(call))
        try #require(answer.cards.error.isEmpty, "\(answer.cards.error)")
        return answer
    }

    private func run(_ program: [UInt8]..., version: UInt8 = 4) throws -> Answer {
        try answer(chain.execute(program, version: version))
    }

    // MARK: For whom a call acts

    private func drain() throws -> [UInt8] {
        try chain.call("Balances", method: "transfer_all", arguments: Value.address(Person.bob), [0])
    }

    private func origin(_ answer: Answer) throws -> CallOrigin { try #require(answer.effects?.leaves.last).origin }

    @Test(
        "a call that a program runs acts for the account that signs, by either kind of origin that becomes it",
        arguments: [Instruction.OriginKind.native, .sovereignAccount])
    func signer(kind: Instruction.OriginKind) throws {
        let transact = try Instruction.transact(kind, drain())
        for answer in try [run(transact), run(Instruction.appendix([transact]))] {
            #expect(answer.effects?.leaves.map(\.name) == ["PolkadotXcm.execute", "Balances.transfer_all"])
            #expect(try origin(answer) == .signer)
            #expect(answer.risks.contains { $0.rule == .wholeBalance && $0.calls == [2] })
            #expect(!answer.risks.contains { $0.rule == .foreignOrigin })
        }
    }

    @Test("behind a proxy such a call acts for the proxied account")
    func proxied() throws {
        let call = try chain.proxy(for: Person.bob, chain.execute([Instruction.transact(.native, drain())]))
        let bob = try chain.address(Person.bob)
        #expect(try origin(answer(call)).account?.text == bob)
    }

    @Test("where a program changes its origin before, or by another kind of origin, nobody is named")
    func undecided() throws {
        let transact = try Instruction.transact(.sovereignAccount, drain())
        let alias = Instruction.alias(Instruction.account(Person.charlie))
        for answer in try [
            run(alias, transact), run(Instruction.clearOrigin, transact), run(Instruction.appendix([transact]), alias),
            run(Instruction.transact(.superuser, drain())), run(Instruction.transact(.xcm, drain())),
        ] {
            #expect(try origin(answer) == .decided(by: "PolkadotXcm.execute"))
            let message = "PolkadotXcm.execute decides for whom it acts: this may be the account that signs."
            #expect(answer.risks.first { $0.rule == .foreignOrigin }?.message.contains(message) == true)
        }
        #expect(try origin(run(transact, alias)) == .signer, "what comes later changes nothing")
    }
}
