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

    // MARK: Assets that nobody gets

    private static let dot = Instruction.relayToken(10_000_000_000)
    private static let bob = Instruction.account(Person.bob)
    private static let toBob = Instruction.deposit(to: bob)

    private func send(_ program: [UInt8]...) throws -> Answer {
        try answer(
            chain.call(
                "PolkadotXcm", method: "send", arguments: [4] + Instruction.sibling(1004), [4] + Value.sequence(program)
            ))
    }

    /// Teleports 1 DOT, with a program that runs where it arrives.
    private func teleport(_ program: [UInt8]...) throws -> Answer {
        try answer(
            chain.call(
                "PolkadotXcm", method: "transfer_assets_using_type_and_then",
                arguments: [4] + Instruction.sibling(1004), [4] + Value.sequence([Self.dot]), [0], [4, 1, 0], [0],
                [4] + Value.sequence(program), [0]))
    }

    private func rules(_ answer: Answer) -> [RiskRule] { answer.risks.map(\.rule) }

    @Test("burning is a danger wherever in a program it stands, confirmed by the method")
    func burns() throws {
        let burn = Instruction.burn(Self.dot)
        for (answer, method) in try [
            (run(Instruction.withdraw(Self.dot), burn), "execute"), (run(Instruction.appendix([burn])), "execute"),
            (send(Instruction.withdraw(Self.dot), burn), "send"),
            (teleport(burn), "transfer_assets_using_type_and_then"),
        ] {
            #expect(rules(answer).contains(.valueDestroyed))
            #expect(answer.confirmations.map(\.text) == [method])
        }
        #expect(try !rules(run(Instruction.withdraw(Self.dot), Self.toBob)).contains(.valueDestroyed))
    }

    @Test("a program that takes or gets assets and leaves them to nobody is a warning")
    func strands() throws {
        let withdraw = Instruction.withdraw(Self.dot)
        let onwards = Instruction.transfer(to: Instruction.sibling(1004), preservesOrigin: false, [])
        for answer in try [
            run(withdraw), run(withdraw, Self.toBob, withdraw), send(withdraw), teleport(),
            run(withdraw, onwards, version: 5), run(Instruction.appendix([withdraw])),
        ] {
            #expect(rules(answer).contains(.strandedAssets))
        }
        let arrives = Instruction.transfer(to: Instruction.sibling(1004), preservesOrigin: false, [Self.toBob])
        for answer in try [
            run(withdraw, Self.toBob), run(Instruction.appendix([Self.toBob]), withdraw), send(withdraw, Self.toBob),
            teleport(Self.toBob), run(withdraw, arrives, version: 5), run(Instruction.transact(.native, drain())),
        ] {
            #expect(!rules(answer).contains(.strandedAssets))
        }
    }

    // MARK: Whose assets

    private func totals(_ answer: Answer) throws -> [String] {
        let network = try #require(answer.network)
        return try #require(answer.effects).totals.map { $0.text(on: network) }
    }

    private func leftOut(_ answer: Answer) -> [String] { answer.effects?.sums.leftOut.map(\.description) ?? [] }

    @Test("what is withdrawn on another chain counts where the program acts there for the account that sends it")
    func preservedOrigin() throws {
        func withdraws(preservesOrigin: Bool) throws -> Answer {
            let there = [Instruction.withdraw(Self.dot), Self.toBob]
            return try run(
                Instruction.transfer(to: Instruction.sibling(1004), preservesOrigin: preservesOrigin, there), version: 5
            )
        }
        #expect(try totals(withdraws(preservesOrigin: true)) == ["1.0000000000 DOT"])
        #expect(try totals(withdraws(preservesOrigin: false)).isEmpty, "it has no account to withdraw from")
    }

    @Test("what a program withdraws after it changed its origin is left out of totals by name, and a warning")
    func changedOrigin() throws {
        let alias = Instruction.alias(Instruction.account(Person.charlie))
        let taken = try run(alias, Instruction.withdraw(Self.dot), Self.toBob)
        #expect(try totals(taken).isEmpty)
        #expect(leftOut(taken) == ["1 amount of PolkadotXcm.execute"])
        #expect(
            taken.risks.first { $0.rule == .foreignOrigin }?.message
                == "A program of instructions goes on for another account than the one that begins it.")
        let bob = try chain.address(Person.bob)
        #expect(taken.effects?.leaves[0].parties.map(\.account?.text) == [bob], "an alias gets nothing")
        let own = try run(Instruction.withdraw(Self.dot), Self.toBob, Instruction.clearOrigin)
        #expect(try totals(own) == ["1.0000000000 DOT"] && !rules(own).contains(.foreignOrigin))
    }

    // MARK: Places without accounts

    /// Sends 1 DOT to a beneficiary on a parachain.
    private func transfer(to parachain: UInt128, _ beneficiary: [UInt8]) throws -> Answer {
        try answer(
            chain.call(
                "PolkadotXcm", method: "limited_reserve_transfer_assets",
                arguments: [4] + Instruction.sibling(parachain), [4, 0, 1] + beneficiary,
                [4] + Value.sequence([Self.dot]), Value.integer(UInt32(0)), [0]))
    }

    @Test("an account on another chain is own, or looks like an own one, whatever form its address has there")
    func elsewhere() throws {
        let beneficiary = { (id: [UInt8]) in [UInt8(1), 0] + id }
        for parachain in [1004, 2034] as [UInt128] {
            let own = try rules(transfer(to: parachain, beneficiary(Person.alice)))
            #expect(!own.contains(.unknownDestination) && !own.contains(.lookalikeAddress), "\(parachain)")
            #expect(try rules(transfer(to: parachain, beneficiary(Person.bob))).contains(.unknownDestination))
            let twin = try transfer(to: parachain, beneficiary(Person.likeAlice))
            #expect(rules(twin).first == .lookalikeAddress, "\(parachain)")
            // Both in the form that is shown.
            let shown = try #require(twin.effects?.leaves.first?.destination?.text)
            let prefix = try SS58.decode(shown).prefix
            let alice = try SS58.encode(Person.alice, prefix: prefix)
            #expect(twin.risks.first?.message.contains(alice) == true)
            let start = zip(alice, shown).prefix { $0 == $1 }.count
            #expect(twin.confirmations.map(\.text) == [String(shown.dropFirst(start).prefix(5))])
        }
        // A program's beneficiary, too.
        let sent = try send(Instruction.withdraw(Self.dot), Instruction.deposit(to: Instruction.account(Person.alice)))
        #expect(!rules(sent).contains(.unknownDestination))
    }

    @Test("value that goes where no account can be is a danger, confirmed by the method")
    func noAccount() throws {
        let short = [3, 0] + [UInt8](repeating: 9, count: 20)
        let long = [1, 0] + Person.bob
        // Kusama's, said of a place in Polkadot.
        let foreign = [1, 1, 3] + Person.bob
        let index: [UInt8] = [2, 0] + Value.compact(7)
        for (parachain, beneficiary) in [
            (1004, short), (2004, long), (1004, foreign), (1004, index), (2004, [7]), (3333, index),
        ] as [(UInt128, [UInt8])] {
            let answer = try transfer(to: parachain, beneficiary)
            #expect(rules(answer).first == .notAnAccount, "\(parachain) \(beneficiary)")
            #expect(answer.confirmations.map(\.text) == ["limited_reserve_transfer_assets"])
        }
        // Polkadot's own, and a chain of which nothing is known.
        for (parachain, beneficiary) in [
            (1004, long), (1004, [1, 1, 2] + Person.bob), (2004, short), (3333, short), (3333, long), (2034, short),
        ] as [(UInt128, [UInt8])] {
            #expect(try !rules(transfer(to: parachain, beneficiary)).contains(.notAnAccount), "\(parachain)")
        }
        // No account of the chain that deposits, though its own key stands in it.
        let elsewhere = { (parachain: UInt128, id: [UInt8]) in [2, 0] + Value.compact(parachain) + [1, 0] + id }
        for (parachain, told) in [(1004, 1004), (2034, 1000), (2034, 2034)] as [(UInt128, UInt128)] {
            let beneficiary = [UInt8(4), 1] + elsewhere(told, Person.alice)
            let answer = try answer(
                chain.call(
                    "PolkadotXcm", method: "limited_reserve_transfer_assets",
                    arguments: [4] + Instruction.sibling(parachain), beneficiary,
                    [4] + Value.sequence([Self.dot]), Value.integer(UInt32(0)), [0]))
            #expect(rules(answer).first == .notAnAccount, "\(parachain) \(told)")
        }
        for told in [1000, 2034] as [UInt128] {
            let program = Instruction.deposit(to: [1] + elsewhere(told, Person.alice))
            #expect(try rules(run(Instruction.withdraw(Self.dot), program)).first == .notAnAccount, "\(told)")
        }
        let deposit = Instruction.deposit(to: [0, 1] + short)
        #expect(try rules(run(Instruction.withdraw(Self.dot), deposit)).contains(.notAnAccount), "not here either")
    }
}
