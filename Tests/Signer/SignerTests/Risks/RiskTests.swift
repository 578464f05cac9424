import Foundation
import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Risks")
struct RiskTests {
    @Test(
        "as many rules as the documents say",
        arguments: ["README.md", "docs/threat-model.md", "Sources/Signer/Signer/Signer.docc/Signer.md"])
    func count(_ path: String) throws {
        let text = try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
        let told = try #require(text.firstMatch(of: /([0-9]+) rules/))
        #expect(Int(told.1) == RiskRule.allCases.count)
    }

    @Test(
        "each rule is as severe as `signer-product` section 12.1 says",
        arguments: [
            (.refuse, [.metadataHashMismatch]),
            (
                .danger,
                [
                    .exposedKey, .derivedOnTheFly, .lookalikeAddress, .notAnAccount, .proxyChange, .rightsChange,
                    .valueDestroyed, .root,
                    .hiddenCall, .largeTip,
                ]
            ),
            (
                .warn,
                [
                    .unverifiedMetadata, .oldMetadata, .wholeBalance, .keyRights, .othersAccount, .openSale,
                    .strandedAssets, .deepNesting, .immortalEra, .feeAsset, .foreignOrigin, .proofInfoMismatch,
                    .textInArguments,
                    .notInWords, .unclassifiedCall,
                ]
            ),
            (.notice, [.unknownDestination, .batch, .metadataHashOff, .binaryMessage]),
        ] as [(Risk.Severity, [RiskRule])])
    func severities(severity: Risk.Severity, rules: [RiskRule]) {
        #expect(RiskRule.allCases.filter { $0.severity == severity } == rules)
    }

    @Test("the most severe comes first, and rules of one severity in the order of the table")
    func order() throws {
        let chain = try Chain("polkadot")
        let call = try chain.batch([
            chain.transfer(by: "transfer_allow_death"),
            chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0]),
            chain.remark("a\u{202e}b"),
        ])
        let payload = chain.payload(call, Chain.Choices(tip: 1 << 60, isImmortal: true))
        let found = try chain.vault(isExposed: true).process(payload).risks
        #expect(
            found.map(\.rule) == [
                .exposedKey, .proxyChange, .largeTip, .wholeBalance, .immortalEra, .textInArguments,
                .unknownDestination, .batch,
            ])
        #expect(found.map(\.calls) == [[], [2], [], [1], [], [3], [1], []])
    }

    @Test("a rule that holds for several calls is one risk that lists them all, and says each thing once")
    func calls() throws {
        let chain = try Chain("polkadot")
        let call = try chain.batch([
            chain.transfer(to: Person.bob), chain.transfer(to: Person.alice), chain.transfer(to: Person.charlie),
        ])
        let found = try chain.vault().process(chain.payload(call)).risks
        let unknown = try #require(found.first { $0.rule == .unknownDestination })
        #expect(unknown.calls == [1, 3])
        #expect(unknown.message == "The destination is neither a key of this vault nor a contact.")
    }

    @Test("what is dangerous is confirmed by the end of its destination, else by the name of its method")
    func confirmations() throws {
        let chain = try Chain("polkadot")
        let addProxy = try chain.call(
            "Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0])
        let createPure = try chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0])
        let end = try String(chain.address(Person.bob).suffix(5))
        let answer = try chain.vault().process(chain.payload(chain.batch([createPure, addProxy, addProxy])))
        let asked = try #require(answer.risks.first).confirmations
        #expect(asked.map(\.rule) == [.proxyChange, .proxyChange] && asked.map(\.kind) == [.method, .account])
        #expect(asked.map(\.text) == ["create_pure", end] && asked.map(\.call) == [1, 2])
        // Nothing below danger asks for anything.
        #expect(answer.risks.dropFirst().allSatisfy { $0.severity < .danger && $0.confirmations.isEmpty })
    }

    @Test("each danger is confirmed by a text of its own: a tip by its amount, an exposed key by its address")
    func wholeTransaction() throws {
        let chain = try Chain("polkadot")
        // 25 DOT, and one that is not round.
        for (tip, shown) in [(250_000_000_000, "25"), (12_345_000_000, "1.2345")] as [(UInt128, String)] {
            let addProxy = try chain.call(
                "Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0])
            let answer = try chain.vault(isExposed: true).process(chain.payload(addProxy, Chain.Choices(tip: tip)))
            let (alice, bob) = (try chain.address(Person.alice), try chain.address(Person.bob))
            #expect(answer.confirmations.map(\.rule) == [.exposedKey, .proxyChange, .largeTip])
            #expect(answer.confirmations.map(\.kind) == [.signer, .account, .amount])
            #expect(answer.confirmations.map(\.text) == [String(alice.suffix(5)), String(bob.suffix(5)), shown])
            #expect(answer.confirmations.map(\.address) == [alice, bob, nil])
            #expect(answer.confirmations.map(\.message) == answer.risks.prefix(3).map(\.message))
        }
    }

    @Test("amounts that are typed alike are asked for each, with what was found of each")
    func sameDigits() throws {
        let chain = try Chain("polkadot")
        let vault = try chain.vault()
        let tips: [UInt128] = [250_000_000_000, 250_000_000_000_000]
        let members = try tips.map { try chain.payload(chain.remark("a"), Chain.Choices(tip: $0)) }
        let answer = try vault.process(Chain.bulk(members))
        #expect(answer.confirmations.map(\.text) == ["25", "25"] && answer.confirmations.map(\.member) == [1, 2])
        let found = answer.items.map { item in item.risks.first { $0.rule == .largeTip }?.message }
        #expect(answer.confirmations.map(\.message) == found)
        #expect(answer.confirmations[0].message.contains("25.0000000000 DOT"))
        #expect(answer.confirmations[1].message.contains("25.0000000000000 kDOT"))
        #expect(answer.confirmations.missing(from: ["25"]).map(\.member) == [2])
    }

    @Test("one danger of one address is confirmed once in a transaction, the key that signs once in all of them")
    func sameAddress() throws {
        let chain = try Chain("polkadot")
        func addProxy(_ person: [UInt8]) throws -> [UInt8] {
            try chain.call("Proxy", method: "add_proxy", arguments: Value.address(person), [0], [0, 0, 0, 0])
        }
        let calls = try [Person.bob, Person.bob, Person.charlie].map(addProxy)
        let twice = try chain.payload(chain.batch(calls))
        let answer = try chain.vault(isExposed: true).process(Chain.bulk([twice, twice]))
        let asked = answer.confirmations
        #expect(asked.map(\.rule) == [.exposedKey] + Array(repeating: .proxyChange, count: 4))
        #expect(asked.map(\.member) == [1, 1, 1, 2, 2] && asked.map(\.call) == [1, 1, 3, 1, 3])
    }

    @Test("addresses that end alike are two, and so are calls of one name")
    func sameEnds() {
        func danger(_ address: String?, call: Int, member: Int? = nil) -> Signer.Confirmation {
            Signer.Confirmation(
                rule: .rightsChange, kind: address == nil ? .method : .account, text: "abcde", call: call,
                member: member,
                address: address)
        }
        var asked: [Signer.Confirmation] = []
        for new in [
            danger("1abcde", call: 1), danger("2abcde", call: 2), danger("1abcde", call: 3), danger(nil, call: 4),
            danger(nil, call: 5), danger(nil, call: 5), danger("1abcde", call: 1, member: 2),
        ] { asked.ask(new) }
        #expect(asked.map(\.call) == [1, 2, 4, 5, 1])
    }

    @Test("one typed text confirms one danger, also where two ask for the same")
    func typedOnce() {
        func ask(_ rule: RiskRule, _ text: String) -> Signer.Confirmation {
            Signer.Confirmation(rule: rule, kind: .method, text: text, call: 1)
        }
        let asked = [ask(.hiddenCall, "announce"), ask(.root, "announce"), ask(.proxyChange, "abcde")]
        #expect(asked.missing(from: ["announce", "abcde"]) == [ask(.root, "announce")])
        #expect(asked.missing(from: ["announce", "abcde", "announce"]).isEmpty)
        #expect(asked.missing(from: []) == asked)
    }

    @Test("a transaction without anything to say about has no risks")
    func harmless() throws {
        let chain = try Chain("polkadot")
        #expect(try chain.vault().process(chain.payload(chain.transfer(to: Person.alice))).risks.isEmpty)
    }

    @Test("what nests deeper, or does more, than can be told is read and not signed")
    func limits() throws {
        let chain = try Chain("polkadot")
        var nested = try chain.remark("")
        for _ in 0..<16 { nested = try chain.batch([nested]) }
        guard case .sign = try chain.vault().process(chain.payload(nested)).action else {
            Issue.record("16 calls around a call cannot be signed")
            return
        }
        let tooDeep = try chain.batch([nested])
        let tooMany = try chain.batch([[UInt8]](repeating: chain.remark(""), count: 1001))
        for (call, code) in [(tooDeep, "TooDeep"), (tooMany, "TooManyCalls")] {
            let answer = try chain.vault().process(chain.payload(call))
            guard case .read = answer.action, case .error(let error)? = answer.cards.error.first?.kind else {
                Issue.record("not refused: \(code)")
                continue
            }
            #expect(error.code == code)
        }
    }
}
