import Substrate
import Testing
import TextForms

@testable import Signer

/// Rules about single calls. Each shows a call that the rule holds for, and one that comes close.
@Suite("Risks of single calls")
struct CallRiskTests {
    /// The risk that `rule` finds in a transaction of Alice's.
    private func risk(_ rule: RiskRule, _ call: [UInt8], on chain: Chain) throws -> Risk? {
        let answer = try chain.vault().process(chain.payload(call))
        try #require(answer.cards.error.isEmpty, "\(answer.cards.error)")
        return answer.risks.first { $0.rule == rule }
    }

    @Test("LookalikeAddress: begins and ends like an own address and is another")
    func lookalikeAddress() throws {
        let chain = try Chain("polkadot")
        let own = try chain.address(Person.alice)
        let other = try chain.address(Person.likeAlice)
        try #require(own != other && own.prefix(4) == other.prefix(4) && own.suffix(4) == other.suffix(4))
        let found = try risk(.lookalikeAddress, chain.transfer(to: Person.likeAlice), on: chain)
        #expect(found?.message.contains(own) == true)
        // The last characters are those that the two have in common.
        let start = zip(own, other).prefix { $0 == $1 }.count
        #expect(found?.confirmations.map(\.text) == [String(other.dropFirst(start).prefix(5))])
        #expect(found?.confirmations.map(\.kind) == [.difference(position: start + 1)])
        #expect(try risk(.lookalikeAddress, chain.transfer(to: Person.alice), on: chain) == nil)
        #expect(try risk(.lookalikeAddress, chain.transfer(to: Person.bob), on: chain) == nil)
    }

    @Test("UnknownDestination: whoever receives has no key here")
    func unknownDestination() throws {
        let chain = try Chain("polkadot")
        #expect(try risk(.unknownDestination, chain.transfer(to: Person.bob), on: chain)?.calls == [1])
        #expect(try risk(.unknownDestination, chain.transfer(to: Person.alice), on: chain) == nil)
        #expect(try risk(.unknownDestination, chain.remark("nobody receives this"), on: chain) == nil)
    }

    @Test("WholeBalance: nothing may be left")
    func wholeBalance() throws {
        let chain = try Chain("polkadot")
        let all = try chain.call("Balances", method: "transfer_all", arguments: Value.address(Person.bob), [0])
        for call in try [all, chain.transfer(by: "transfer_allow_death")] {
            #expect(try risk(.wholeBalance, call, on: chain)?.calls == [1])
        }
        #expect(try risk(.wholeBalance, chain.transfer(by: "transfer_keep_alive"), on: chain) == nil)
        // What `transfer_allow_death` was called before 2023.
        let westend = try Chain("westend")
        #expect(try risk(.wholeBalance, westend.transfer(by: "transfer"), on: westend) != nil)
        #expect(try risk(.wholeBalance, westend.transfer(by: "transfer_keep_alive"), on: westend) == nil)
    }

    @Test("each call that a rule holds for has its number")
    func numbers() throws {
        let chain = try Chain("polkadot")
        let (empties, keeps) = try (chain.transfer(by: "transfer_allow_death"), chain.transfer())
        #expect(try risk(.wholeBalance, chain.batch([empties, keeps, empties]), on: chain)?.calls == [1, 3])
    }

    @Test("UnknownDestination: one of several is enough, wherever it stands")
    func severalDestinations() throws {
        let chain = try Chain("statemint")
        func team(_ accounts: [UInt8]...) throws -> [UInt8] {
            let addresses = accounts.flatMap { Value.address($0) }
            return try chain.call("Assets", method: "set_team", arguments: Value.compact(1984), addresses)
        }
        for call in try [
            team(Person.bob, Person.alice, Person.alice), team(Person.alice, Person.alice, Person.bob),
        ] {
            #expect(try risk(.unknownDestination, call, on: chain)?.calls == [1])
        }
        let own = try team(Person.alice, Person.alice, Person.alice)
        #expect(try risk(.unknownDestination, own, on: chain) == nil)
    }

    @Test("DeepNesting: more than three calls stand around it, whatever it does")
    func depth() throws {
        let chain = try Chain("polkadot")
        let three = try chain.batch([chain.batch([chain.batch([chain.transfer()])])])
        #expect(try risk(.deepNesting, three, on: chain) == nil)
        #expect(try risk(.deepNesting, chain.batch([three]), on: chain)?.message == "Stands 4 calls deep.")
    }

    @Test("Root: a whitelisted call acts for the chain, and whatever stands in a call of Sudo counts as such")
    func underSudo() throws {
        let polkadot = try Chain("polkadot")
        let whitelisted = try polkadot.call(
            "Whitelist", method: "dispatch_whitelisted_call_with_preimage", arguments: polkadot.transfer())
        #expect(try risk(.root, whitelisted, on: polkadot)?.calls == [1])
        let chain = try Chain("westend")
        let call = try chain.call(
            "Sudo", method: "sudo_as", arguments: Value.address(Person.bob), chain.batch([chain.transfer()]))
        #expect(try risk(.root, call, on: chain)?.calls == [1])
    }

    @Test("blanks that push text out of sight are seen, and control characters where most is text")
    func hiddenText() {
        let eight = String(repeating: " ", count: 8)
        #expect(HiddenText.hides("a" + eight + "b") && !HiddenText.hides("a" + eight.dropLast() + "b"))
        #expect(HiddenText.hides("a\u{2800}\u{2800}b"))
        func isIn(_ bytes: [UInt8]) -> Bool { HiddenText.isIn(Card(indent: 0, kind: .bytes(bytes, text: nil))) }
        #expect(isIn(Array("to Bob\u{1b}[2J".utf8)) && !isIn([1, 2, 3, 4, 0x61]))
    }

    @Test("ProxyChange: somebody else may act for the account from now on")
    func proxyChange() throws {
        let chain = try Chain("polkadot")
        let hash = [UInt8](repeating: 7, count: 32)
        for call in try [
            chain.call("Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0]),
            chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0]),
            chain.call("Proxy", method: "announce", arguments: Value.address(Person.bob), hash),
        ] {
            #expect(try risk(.proxyChange, call, on: chain)?.calls == [1])
        }
        #expect(try risk(.proxyChange, chain.call("Proxy", method: "remove_proxies"), on: chain) == nil)
        let westend = try Chain("westend")
        let anonymous = try westend.call("Proxy", method: "anonymous", arguments: [0], [0, 0, 0, 0], [0, 0])
        #expect(try risk(.proxyChange, anonymous, on: westend)?.confirmations.map(\.text) == ["anonymous"])
    }

    @Test("KeyRights: who holds keys or rights changes")
    func keyRights() throws {
        let chain = try Chain("westend")
        let sessionKeys = [UInt8](repeating: 9, count: 6 * 32)
        for call in try [
            chain.call("Session", method: "set_keys", arguments: sessionKeys, Value.bytes([])),
            chain.call("Staking", method: "set_controller", arguments: Value.address(Person.bob)),
            chain.call("Staking", method: "set_payee", arguments: [0]),
            chain.call("Identity", method: "add_registrar", arguments: Person.bob),
            chain.call("Identity", method: "set_subs", arguments: Value.sequence([])),
        ] {
            #expect(try risk(.keyRights, call, on: chain)?.calls == [1])
        }
        #expect(try risk(.keyRights, chain.call("Staking", method: "chill"), on: chain) == nil)
    }

    @Test("Root: the rights of the chain itself")
    func root() throws {
        let chain = try Chain("westend")
        for call in try [
            chain.call("Sudo", method: "sudo", arguments: chain.remark("by root")),
            chain.call("Sudo", method: "sudo", arguments: chain.batch([chain.remark("by root, deeper")])),
            chain.call("Sudo", method: "set_key", arguments: Value.address(Person.bob)),
            chain.call("System", method: "set_code", arguments: Value.bytes([1, 2, 3])),
            chain.call("System", method: "set_storage", arguments: Value.sequence([])),
            chain.call("System", method: "kill_storage", arguments: Value.sequence([])),
        ] {
            #expect(try risk(.root, call, on: chain)?.calls == [1])
        }
        #expect(try risk(.root, chain.remark("by nobody"), on: chain) == nil)
        let polkadot = try Chain("polkadot")
        let asRoot = try polkadot.call("Utility", method: "dispatch_as", arguments: [0, 0], polkadot.remark(""))
        let asAlice = try polkadot.call(
            "Utility", method: "dispatch_as", arguments: [0, 1] + Person.alice, polkadot.remark(""))
        #expect(try risk(.root, asRoot, on: polkadot)?.confirmations.map(\.text) == ["remark"])
        #expect(try risk(.root, asAlice, on: polkadot) == nil)
    }

    @Test("HiddenCall: only the hash of a call is given")
    func hiddenCall() throws {
        let chain = try Chain("polkadot")
        let hash = [UInt8](repeating: 7, count: 32)
        let noWeight = Value.compact(0) + Value.compact(0)
        func submit(_ proposal: [UInt8]) throws -> [UInt8] {
            try chain.call("Referenda", method: "submit", arguments: [0, 0], proposal, [1] + Value.integer(UInt32(10)))
        }
        for call in try [
            chain.call(
                "Multisig", method: "approve_as_multi", arguments: [2, 0], Value.sequence([Person.bob]), [0], hash,
                noWeight),
            chain.call("Proxy", method: "announce", arguments: Value.address(Person.bob), hash),
            chain.call("Preimage", method: "request_preimage", arguments: hash),
            chain.call("Whitelist", method: "dispatch_whitelisted_call", arguments: hash, [4, 0, 0, 0], noWeight),
            // A call among the chain's preimages, in the form of today and in the former one.
            submit([2] + hash + [4, 0, 0, 0]), submit([0] + hash),
        ] {
            #expect(try risk(.hiddenCall, call, on: chain)?.calls == [1])
        }
        let shown = try chain.call(
            "Multisig", method: "as_multi", arguments: [2, 0], Value.sequence([Person.bob]), [0], chain.remark(""),
            noWeight)
        #expect(try risk(.hiddenCall, shown, on: chain) == nil)
    }

    @Test("DeepNesting: more than three calls around a call")
    func deepNesting() throws {
        let chain = try Chain("polkadot")
        let three = try chain.batch([chain.batch([chain.batch([chain.remark("")])])])
        #expect(try risk(.deepNesting, three, on: chain) == nil)
        let four = try chain.batch([chain.remark("not deep"), three])
        #expect(try risk(.deepNesting, four, on: chain)?.calls == [2])
    }

    @Test("ForeignOrigin: acts for another account, which is named in full")
    func foreignOrigin() throws {
        let chain = try Chain("polkadot")
        let bob = try chain.address(Person.bob)
        let proxied = try chain.proxy(for: Person.bob, chain.batch([chain.transfer()]))
        #expect(try risk(.foreignOrigin, proxied, on: chain)?.message == "Acts for another account, \(bob).")
        // The inner wrapping decides.
        let back = try chain.proxy(for: Person.bob, chain.proxy(for: Person.alice, chain.transfer()))
        #expect(try risk(.foreignOrigin, back, on: chain) == nil)
        #expect(try risk(.foreignOrigin, chain.batch([chain.transfer()]), on: chain) == nil)
        let treasury = try chain.call("Utility", method: "dispatch_as", arguments: [0, 0], chain.remark(""))
        #expect(try risk(.foreignOrigin, treasury, on: chain)?.message == "Acts for the chain itself.")
    }

    @Test(
        "ForeignOrigin: the addresses of multisigs and derived accounts are those that `signer-product` section 12.1 gives"
    )
    func computedOrigins() throws {
        let chain = try Chain("westend")
        let derivative = try chain.call("Utility", method: "as_derivative", arguments: [0, 0], chain.transfer())
        let found = try risk(.foreignOrigin, derivative, on: chain)
        #expect(found?.message.contains("5Ep769A4Ka6QrHYoPfzA1fTWRSXpf28vhdbWHWmkWmi4SNHi") == true)
        let polkadot = try Chain("polkadot")
        let multisig = try polkadot.call(
            "Multisig", method: "as_multi", arguments: [2, 0], Value.sequence([Person.bob, Person.charlie]), [0],
            polkadot.transfer(),
            Value.compact(0), Value.compact(0))
        let recovered = try chain.call(
            "Recovery", method: "as_recovered", arguments: Person.bob, chain.transfer())
        #expect(try risk(.foreignOrigin, recovered, on: chain)?.message.contains(chain.address(Person.bob)) == true)
        let known = try SS58.decode("5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7").payload
        let address = try polkadot.address(known)
        #expect(try risk(.foreignOrigin, multisig, on: polkadot)?.message.contains(address) == true)
    }

    @Test("ForeignOrigin: an account with an ecdsa key is known by its hash, as the chain knows it")
    func ecdsaSigner() throws {
        var chain = try Chain("polkadot")
        chain.specs.scheme = .ecdsa
        let publicKey = try #require(
            Hex.decode("0239474e8d9b1a1e0a2c3b6c6ef2b2bd1e3f4f6a1f2e6e7c5d3a9b8c7d6e5f4a3b"))
        let signer = try #require(MultiSigner(scheme: .ecdsa, publicKey: publicKey))
        let vault = try Vault.lookOnly(chain.bundle(), keys: [chain.key(signer)])
        func found(_ call: [UInt8]) throws -> Risk? {
            try vault.process(chain.payload(call, by: publicKey)).risks.first { $0.rule == .foreignOrigin }
        }
        #expect(try found(chain.proxy(for: signer.accountID, chain.transfer())) == nil)
        let derived = DerivedAccount.derivative(of: signer.accountID, index: 0)
        let message = try found(chain.call("Utility", method: "as_derivative", arguments: [0, 0], chain.transfer()))?
            .message
        #expect(try message?.contains(chain.address(derived)) == true)
    }

    @Test(
        "TextInArguments: characters that hide or reorder text",
        arguments: [
            ("pay \u{202e}ecila", true), ("pay\u{200b}alice", true), ("\u{1b}[2Jnothing", true), ("a\u{0}b", true),
            ("pay" + String(repeating: " ", count: 8) + "alice", true), ("pay\n\nalice", true), ("pay\t\talice", true),
            ("pay\u{3000}\u{3000}alice", true), ("pay       alice", false),
            ("pay alice", false), ("Straße, 東京, née", false), ("two\nlines", false), ("", false),
        ])
    func textInArguments(text: String, holds: Bool) throws {
        let chain = try Chain("polkadot")
        #expect((try risk(.textInArguments, chain.remark(text), on: chain) != nil) == holds)
    }

    @Test("TextInArguments: binary data are no text")
    func binary() throws {
        let chain = try Chain("polkadot")
        let call = try chain.call("System", method: "remark", arguments: Value.bytes([0, 1, 2, 0x1f, 0xff, 0xfe, 3]))
        #expect(try risk(.textInArguments, call, on: chain) == nil)
    }

    @Test("messages are looked at as texts of calls are; bytes that are no text are named as such")
    func messages() {
        #expect(Risk.ofMessage(Array("pay alice".utf8)).isEmpty)
        #expect(Risk.ofMessage(Array("pay \u{202e}ecila".utf8)).map(\.rule) == [.textInArguments])
        #expect(
            Risk.ofMessage(Array("pay\(String(repeating: " ", count: 80))alice".utf8)).map(\.rule) == [.textInArguments]
        )
        let binary = Risk.ofMessage([0xff, 0, 1])
        #expect(binary.map(\.rule) == [.binaryMessage] && binary[0].message.contains("3 bytes"))
    }

    @Test("TextInArguments: a message or a text of a call whose end is shown nowhere")
    func cutTexts() throws {
        func lines(_ count: Int) -> [UInt8] { Array(String(repeating: "a line\n", count: count).utf8.dropLast()) }
        #expect(Risk.ofMessage(lines(1_024)).isEmpty)
        #expect(Risk.ofMessage(lines(1_025)).map(\.rule) == [.textInArguments])
        #expect(Risk.ofMessage([UInt8](repeating: 0x61, count: 16_384)).isEmpty)
        #expect(Risk.ofMessage([UInt8](repeating: 0x61, count: 16_385)).map(\.rule) == [.textInArguments])
        #expect(Risk.ofMessage([UInt8](repeating: 0xff, count: 4_096)).map(\.rule) == [.binaryMessage])
        #expect(
            Risk.ofMessage([UInt8](repeating: 0xff, count: 4_097)).map(\.rule) == [.binaryMessage, .textInArguments])
        let chain = try Chain("polkadot")
        #expect(try risk(.textInArguments, chain.remark(String(decoding: lines(256), as: UTF8.self)), on: chain) == nil)
        #expect(try risk(.textInArguments, chain.remark(String(decoding: lines(257), as: UTF8.self)), on: chain) != nil)
    }

    @Test("the bits of a long sequence are told by their number and hash, not one by one")
    func bits() {
        let bits = String(repeating: "01", count: 400_000)
        guard case .words("bitvec: ", nil)? = AnswerWording.line(.bitvec(bits)).first else {
            Issue.record("no bits")
            return
        }
        #expect(AnswerWording.line(.bitvec(bits)).last == .bits(bits))
        #expect(SaidPart(ValuePiece.number(bits)) == .bits(bits))
        let said = SaidPart.line(ofBits: bits)
        #expect(said.first == .whole(String(repeating: "01", count: 128) + "…"))
        #expect(said.dropFirst().first == .words(" all of it: 800000 bits, as digits BLAKE2b-256 ", .dim))
        #expect(SaidPart.line(ofBits: "0101") == [.whole("0101")])
        let largest = String(repeating: "9", count: 78)
        #expect(SaidPart(ValuePiece.number(largest)) == .words(largest))
    }
}
