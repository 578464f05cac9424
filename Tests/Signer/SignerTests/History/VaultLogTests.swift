import Foundation
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("What a person does with the log")
struct VaultLogTests {
    @Test("a note is one entry; an empty one is none")
    func comment() throws {
        let test = try TestVault()
        let vault = try test.open()
        try vault.addComment("")
        #expect(try vault.log().count == 1)
        let longest = String(repeating: "é", count: 1024)
        for note in ["rent paid\nfor May", longest] {
            try vault.addComment(note)
            #expect(try vault.log().last?.entry.events == [.userEntry(note)])
        }
    }

    @Test(
        "a note that is too long or moves the cursor is refused, and nothing is written",
        arguments: [
            (String(repeating: "a", count: 1025), "CommentTooLong"),
            ("a" + String(repeating: "\u{301}", count: 1024), "CommentTooLong"), ("a\u{1b}[2J", "CommentInvalid"),
            ("a\rb", "CommentInvalid"), ("a\u{85}b", "CommentInvalid"), ("\u{0}", "CommentInvalid"),
            ("a\r\nb", "CommentInvalid"),
        ])
    func badComment(_ text: String, _ code: String) throws {
        let test = try TestVault()
        let vault = try test.open()
        let before = try vault.state()
        #expect(#expect(throws: SignerError.self) { try vault.addComment(text) }?.code == code)
        #expect(try vault.state() == before)
    }

    @Test("a cleared log begins with how long the old one was, and with its digest")
    func clear() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.addComment("note")
        let before = try vault.verifyLog()
        try vault.clearLog()
        let entries = try vault.log()
        #expect(entries.map(\.order) == [0])
        #expect(
            entries[0].entry.events == [
                .historyCleared, .systemEntry("previous log: 3 entries, digest \(Hex.encode(before.digest))"),
            ])
        let fresh = HistoryLog.extend(HistoryLog.emptyDigest, order: 0, entry: entries[0].entry.scaleEncoded)
        #expect(try vault.verifyLog().digest == fresh)
        #expect(try vault.verifyLog(contains: before.digest).containsAt == nil)
        try vault.addComment("after")
        #expect(try vault.verifyLog(grownSince: before.digest).clearedAt == 3)
        #expect(throws: SignerError.logDiffers) { try vault.verifyLog(grownSince: HistoryLog.emptyDigest.reversed()) }
        #expect(try test.open(.read).log().map(\.order) == [0, 1])
    }

    @Test("a clock that went back does not set the log back when it is cleared")
    func clearedEarlier() throws {
        let test = try TestVault()
        _ = try test.open()
        let vault = try Vault.open(test.folder, unlocking: test.unlocking, now: { TestVault.time - 10 })
        try vault.clearLog()
        let entry = try #require(try vault.log().first).entry
        #expect(entry.timestamp == "2025-11-21 00:00:00.5")
        #expect(entry.events.last == .systemEntry("clock went back: 2025-11-20 23:59:50.5"))
    }

    @Test("a log that is not the one that was written is not cleared")
    func damagedIsKept() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.database.write { trees in try trees.changeInventory { $0.log = HistoryLog.emptyDigest } }
        #expect(throws: SignerError.databaseDamaged(.log)) { try vault.clearLog() }
        #expect(try vault.database.read { try $0.count(.history) } == 2)
    }

    @Test("a signed transaction is decoded again")
    func details() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let shown = try vault.process(TestVault.transfer())
        _ = try test.sign(TestVault.transfer(), in: vault)
        let details = try vault.logDetails(order: "2")
        #expect(details.order == 2 && details.timestamp == "2025-11-21 00:00:00.5" && !details.isDangerous)
        #expect(details.events.map(\.name) == ["TransactionSigned"])
        guard case .decoded(let answer) = try #require(details.events.first).content else {
            return #expect(Bool(false), "not decoded")
        }
        #expect(answer.cards.method == shown.cards.method && answer.cards.extensions == shown.cards.extensions)
        #expect(answer.callHash == shown.callHash && answer.isReadOnly && answer.risks.isEmpty)
        guard case .author(let author)? = answer.cards.author.first?.kind else {
            return #expect(Bool(false), "no author")
        }
        #expect(author.seedName == "demo" && author.path == "//westend")
        // Nothing is signed or changed by looking.
        #expect(try vault.log().count == 3 && vault.pendingPayload() == nil)
    }

    @Test("what is gone keeps its own event from being shown, and no other")
    func goneNetwork() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        _ = try test.sign(TestVault.transfer(), in: vault)
        guard case .transactionSigned(var record)? = try vault.log().last?.entry.events.first else {
            return #expect(Bool(false), "not signed")
        }
        let message = Event.MessageRecord(
            message: Hex.encode(Array("<Bytes>hello</Bytes>".utf8)), networkName: "Any network",
            signedBy: record.signedBy, comment: "")
        record.networkName = "atlantis"
        try vault.database.write { trees in
            try HistoryLog.append(
                [.transactionSigned(record), .messageSigned(message), .deviceWasOnline], at: TestVault.time, to: trees)
        }
        let events = try vault.logDetails(order: 3).events
        guard case .undecodable(let problem) = events[0].content, case .decoded(let shown) = events[1].content else {
            return #expect(Bool(false), "other contents")
        }
        #expect(problem == .networkUnknown("atlantis") && problem.code == "HistoricalNetworkUnknown")
        #expect("\(problem)".contains("atlantis"))
        #expect(shown.cards.message == [Card(indent: 0, kind: .text("hello"))])
        #expect(events[2].name == "DeviceWasOnline" && events[2].isDangerous)
        guard case .none = events[2].content else { return #expect(Bool(false), "there is nothing to decode") }
    }

    @Test("where the metadata are gone, or those of its version, this is said")
    func goneMetadata() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        _ = try test.sign(TestVault.transfer(), in: vault)
        guard case .transactionSigned(var record)? = try vault.log().last?.entry.events.first else {
            return #expect(Bool(false), "not signed")
        }
        let version = try #require(record.transaction.firstRange(of: [0xa2, 0x23, 0, 0] as [UInt8]))
        record.transaction[version.lowerBound] = 0x97
        try vault.database.write { try HistoryLog.append([.transactionSigned(record)], at: TestVault.time, to: $0) }
        func problem(_ order: Int) throws -> HistoricalProblem? {
            guard case .undecodable(let problem)? = try vault.logDetails(order: order).events.first?.content else {
                return nil
            }
            return problem
        }
        #expect(try problem(2) == nil)
        let other = try #require(try problem(3))
        #expect(other == .metadata(network: "westend", version: "9111") && other.code == "HistoricalMetadata")
        #expect("\(other)".contains("westend, version 9111"))
        try vault.database.write { try $0.removeAll(.metadata) }
        #expect(try problem(2) == .metadata(network: "westend", version: nil))
    }

    @Test(
        "a place that is none is not found",
        arguments: ["1", "-1", "+0", "", "0x0", "zero", "99999999999999999999", " 0"]
    )
    func notFound(_ order: String) throws {
        let vault = try TestVault().open(.read)
        let error = #expect(throws: SignerError.self) { try vault.logDetails(order: order) }
        #expect(error == .historyEntryNotFound(order) && error?.code == "HistoryEntryNotFound")
        #expect("\(SignerError.historyEntryNotFound(order))".contains("no entry \(order)"))
        #expect(try vault.logDetails(order: "0").events.map(\.name) == ["DatabaseInitiated", "GeneralVerifierSet"])
    }

    @Test("a digest is taken as it is typed, and a log that never had it is another one")
    func grown() throws {
        let test = try TestVault()
        let vault = try test.open()
        let earlier = try vault.verifyLog().digest
        try vault.addComment("after")
        let text = " \(Hex.encode(earlier).uppercased())\n"
        #expect(try vault.verifyLog(grownSince: Vault.notedDigest(text)).containsAt == 1)
        #expect(try Vault.notedDigest("0x" + Hex.encode(earlier)) == earlier)
        #expect(throws: SignerError.logDiffers) {
            try vault.verifyLog(grownSince: [UInt8](repeating: 1, count: 32))
        }
        for text in ["", "ab", Hex.encode(earlier) + "0", Hex.encode(earlier.dropLast()), "no digest"] {
            #expect(throws: SignerError.digestMalformed) { try Vault.notedDigest(text) }
        }
    }
}
