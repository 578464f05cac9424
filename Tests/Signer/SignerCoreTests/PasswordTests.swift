import Navigator
import SCALE
import SecretMemory
import Signer
import Testing
import TextForms

@testable import SignerCore

/// Signing with keys that have passwords, and dangers, from page to page.
@Suite("Passwords and dangers")
struct PasswordTests {
    /// A core with keys of the development phrase in Westend whose passwords are these.
    private func core(
        passwords: [String], confirmsDangers: Bool = false
    ) throws -> (test: TestCore, keys: [String]) {
        let test = try TestCore(hasMetadata: true, confirmsDangers: confirmsDangers)
        _ = try test.recoverAlice()
        try test.act(.networkSelector)
        var page = try test.act(.changeNetwork, TestCore.westend)
        for (number, password) in passwords.enumerated() {
            try test.act(.newKey)
            try test.act(.checkPassword, "//\(number)///\(password)")
            page = try test.act(.goForward, "//\(number)///\(password)")
        }
        guard case .keys(let data) = page.screen else { throw CoreError.notPending }
        return (
            test, passwords.indices.compactMap { number in data.keys.first { $0.path == "//\(number)" }?.publicKey }
        )
    }

    private func transaction(by key: String) -> String {
        FlowStart.dangerousTransaction.replacing(
            "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34", with: key)
    }

    private func bulk(by keys: [String]) -> String {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 0x04, 0])
        encoder.sequence(keys) { encoder, key in
            encoder.byteSequence(Array((Hex.decode(transaction(by: key)) ?? []).dropFirst()))
        }
        return Hex.encode(encoder.bytes)
    }

    private func scan(_ payload: String, in test: TestCore) throws -> ActionResult {
        try test.act(.navbarScan)
        return try test.act(.transactionFetched, payload)
    }

    @Test("a password is asked for, two wrong ones are logged and forgiven, the right one signs")
    func password() throws {
        let (test, keys) = try core(passwords: ["zwölf-Boote"])
        guard case .transaction(let data) = try scan(transaction(by: keys[0]), in: test).screen else {
            Issue.record("nothing scanned")
            return
        }
        #expect(data.kind == "Sign")
        let asked = try test.act(.goForward, "rent")
        guard case .enterPassword(let question)? = asked.modal else {
            Issue.record("no question")
            return
        }
        #expect(asked.rule == "T048" && question.attempt == 1 && question.path == "//0")
        let wrong = try test.act(.goForward, "wrong")
        #expect(wrong.rule == "T053" && wrong.errorCode == "WrongPassword")
        guard case .enterPassword(let again)? = try test.act(.goBack).modal else {
            Issue.record("no question")
            return
        }
        #expect(again.attempt == 2)
        try test.act(.goForward, "", secret: "wrong")
        try test.act(.goBack)
        let signed = try test.act(.goForward, "", secret: "zwölf-Boote")
        #expect(signed.rule == "T051" && signed.position.modal == .signatureReady)
        let secret = try KnownShares.secret("zwölf-Boote")
        #expect(try test.core.breaches(secrets: [secret]) == [])
        let events = try #require(try test.host.openVault()).log().suffix(3).flatMap(\.events)
        #expect(
            events == [
                "TransactionSignError westend: rent", "TransactionSignError westend: rent",
                "TransactionSigned westend: rent",
            ])
    }

    @Test("the third wrong password drops what was scanned")
    func thirdPassword() throws {
        let (test, keys) = try core(passwords: ["zwölf-Boote"])
        _ = try scan(transaction(by: keys[0]), in: test)
        try test.act(.goForward)
        for _ in 0..<2 {
            try test.act(.goForward, "wrong")
            try test.act(.goBack)
        }
        let dropped = try test.act(.goForward, "wrong")
        #expect(dropped.rule == "T054" && dropped.position == Position(.log, alert: .error))
        #expect(dropped.errorCode == "WrongPassword")
    }

    @Test("nothing that is typed costs no attempt, and what was scanned stays")
    func empty() throws {
        let (test, keys) = try core(passwords: ["zwölf-Boote"])
        _ = try scan(transaction(by: keys[0]), in: test)
        try test.act(.goForward, "rent")
        for _ in 0..<3 {
            let refused = try test.act(.goForward)
            #expect(refused.rule == "T055" && refused.errorCode == "LostPwd")
            #expect(refused.position == Position(.transaction, modal: .enterPassword, alert: .error))
            guard case .enterPassword(let question)? = try test.act(.goBack).modal else {
                Issue.record("no question")
                return
            }
            #expect(question.attempt == 1)
        }
        #expect(try test.act(.goForward, "", secret: "zwölf-Boote").position.modal == .signatureReady)
        let events = try #require(try test.host.openVault()).log().flatMap(\.events)
        #expect(events.filter { $0.hasPrefix("TransactionSign") } == ["TransactionSigned westend: rent"])
    }

    @Test("a comment that the log does not take is refused before a password is asked for")
    func longComment() throws {
        let (test, keys) = try core(passwords: ["one"])
        _ = try scan(transaction(by: keys[0]), in: test)
        // Characters as a person sees them are no measure: one of them can be of any size.
        for (comment, code) in [
            (String(repeating: "a", count: 1100), "CommentTooLong"),
            ("a" + String(repeating: "\u{301}", count: 1100), "CommentTooLong"), ("a\u{1b}[2J", "CommentInvalid"),
        ] {
            let refused = try test.act(.goForward, comment)
            #expect(refused.position == Position(.transaction, alert: .error) && refused.errorCode == code)
            try test.act(.goBack)
        }
        try test.act(.goForward, "rent")
        #expect(try test.act(.goForward, "one").position.modal == .signatureReady)
    }

    @Test("each key of several is asked for its own password, once")
    func several() throws {
        let (test, keys) = try core(passwords: ["one", "two"])
        _ = try scan(bulk(by: [keys[0], keys[1], keys[0]]), in: test)
        #expect(try test.act(.goForward).rule == "T048")
        let next = try test.act(.goForward, "one")
        guard case .enterPassword(let question)? = next.modal else {
            Issue.record("no question")
            return
        }
        #expect(next.rule == "T052" && question.path == "//1")
        let signed = try test.act(.goForward, "two")
        guard case .signatureReady(let code)? = signed.modal else {
            Issue.record("nothing signed")
            return
        }
        #expect(signed.rule == "T051" && code.isMoving && code.content.count == 1 + 1 + 3 * 65)
    }

    @Test("as many phrases as items, each that of its seed, or nothing is asked")
    func phrases() throws {
        let (test, keys) = try core(passwords: ["one"])
        _ = try scan(bulk(by: [keys[0], keys[0]]), in: test)
        #expect(try test.act(.goForward, "", secret: TestCore.phrase).errorCode == "SeedsNumMismatch")
        try test.act(.goBack)
        #expect(try test.act(.goForward, "", secret: TestCore.phrase + "\n").errorCode == "NoSeedPhrase")
        try test.act(.goBack)
        let both = TestCore.phrase + "\n" + TestCore.phrase
        #expect(try test.act(.goForward, "", secret: both).position.modal == .enterPassword)
    }

    @Test("going back while a password is asked for drops what was scanned")
    func back() throws {
        let (test, keys) = try core(passwords: ["one"])
        _ = try scan(transaction(by: keys[0]), in: test)
        try test.act(.goForward)
        #expect(try test.act(.goBack).position == Position(.log))
    }

    @Test("a danger is confirmed by its own text, and nothing is signed before")
    func danger() throws {
        let (test, keys) = try core(passwords: ["one"], confirmsDangers: true)
        _ = try scan(transaction(by: keys[0]), in: test)
        guard case .confirmRisk(let question)? = try test.act(.goForward).modal else {
            Issue.record("no danger")
            return
        }
        #expect(question.code == "ProxyChange" && question.left == 1)
        #expect(try test.act(.goForward, "94TY").errorCode == "RiskNotAcknowledged")
        try test.act(.goBack)
        #expect(try test.act(.goForward, "694ty").position == Position(.transaction))
        #expect(try test.act(.goForward).position.modal == .enterPassword)
        test.host.setDetector(.connected)
        #expect(try test.act(.goForward, "one").position.alert == .shield)
    }

    @Test("what cannot be read is shown as such, and nothing follows")
    func unreadable() throws {
        let (test, _) = try core(passwords: [])
        for (payload, code) in [("zz", "NotHex"), ("", "NotHex"), ("530102", "TooShort"), ("aabbcc", "NotSubstrate")] {
            let page = try scan(payload, in: test)
            guard case .transaction(let data) = page.screen else {
                Issue.record("nothing shown")
                return
            }
            #expect(data.kind == "Read" && data.refusal?.code == code && page.alert == nil)
            #expect(try test.act(.goForward).rule == "T047")
            try test.act(.goBack)
        }
    }
}
