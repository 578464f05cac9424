import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("What a call comes to")
struct CallSumTests {
    private let chain: Chain

    init() throws { chain = try Chain("statemint") }

    private static func transfer(_ amount: UInt128, to account: [UInt8]) -> [UInt8] {
        [4] + Value.sequence([Instruction.relayToken(amount)]) + Instruction.account(account)
    }

    private static let clearError: [UInt8] = [23]

    private func text(_ line: [SaidPart], _ answer: Answer) -> String {
        line.map { part in
            switch part {
            case .words(let words, _), .whole(let words, _): words
            case .account(let account, _), .address(let account): account.text
            case .amount(let amount): answer.network.map { amount.text(on: $0) } ?? ""
            case .text, .bytes, .bits: "…"
            }
        }.joined()
    }

    @Test(
        "idle instructions hide none of those that pay: each has its line, and all of them come to one sum",
        arguments: [1, 12, 63, 300])
    func idle(count: Int) throws {
        let program =
            [Self.transfer(10_000_000_000, to: Person.alice)] + Array(repeating: Self.clearError, count: count)
            + [Self.transfer(5_000_000_000_000, to: Person.charlie)]
        let answer = try chain.vault().process(chain.payload(chain.execute(program)))
        let leaf = try #require(answer.effects?.leaves.first)
        let message = try #require(AnswerWording(answer).arguments(of: leaf).first)
        #expect(message.value.count == count + 2)
        let (alice, charlie) = try (chain.address(Person.alice), chain.address(Person.charlie))
        let accounts = message.value.last?.compactMap { if case .account(let found) = $0 { found.text } else { nil } }
        #expect(accounts == [charlie])
        #expect(
            CallSum(of: leaf).lines.map { text($0, answer) } == [
                "sends 501.0000000000 DOT", "goes to \(alice) on this chain, \(charlie) on this chain",
            ])
    }

    @Test("what is not counted, is no account or is taken from others is said, each account once")
    func parties() throws {
        let short: [UInt8] = [0, 1, 3, 0] + [UInt8](repeating: 9, count: 20)
        let program = [
            Instruction.alias(Instruction.account(Person.charlie)), Instruction.withdraw(Instruction.relayToken(7)),
            Instruction.deposit(to: short), Instruction.deposit(to: short),
        ]
        let answer = try chain.vault().process(chain.payload(chain.execute(program)))
        let leaf = try #require(answer.effects?.leaves.first)
        let lines = CallSum(of: leaf).lines
        #expect(lines.map { text($0, answer) }.first == "sends nothing that is counted; not counted: 1 amount")
        #expect(lines.count == 2 && lines[1].count { if case .words(_, .danger) = $0 { true } else { false } } == 1)
        let taken = try chain.call(
            "Assets", method: "transfer_approved", arguments: Value.compact(1984), Value.address(Person.bob),
            Value.address(Person.charlie), Value.compact(1))
        let other = try chain.vault().process(chain.payload(taken))
        let (bob, charlie) = try (chain.address(Person.bob), chain.address(Person.charlie))
        #expect(
            try CallSum(of: #require(other.effects?.leaves.first)).lines.map { text($0, other) }
                == ["sends 0.000001 USDT (Assets 1984)", "goes to \(charlie)", "takes from \(bob)"])
    }
}
