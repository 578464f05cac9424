import Foundation
import GRDB
import MainKey
import TestSupport
import Testing

@testable import Signer

@Suite("What a vault keeps of the network")
struct NetworkNoteTests {
    private func events(_ vault: Vault) throws -> [Event] { try vault.log().flatMap(\.entry.events) }

    private func file(_ test: TestVault) -> URL { test.folder.appending(path: "network") }

    private func change(_ test: TestVault, _ sql: String) throws {
        try DatabaseQueue(path: test.folder.appending(path: "vault.sqlite").path).write { try $0.execute(sql: sql) }
    }

    @Test("a connection and its acknowledgement are the flag and two lines of the log")
    func acknowledged() throws {
        let test = try TestVault()
        let vault = try test.open()
        #expect(try !vault.wasOnline())
        try vault.note(.wasOnline, .detectorFailed)
        #expect(try vault.wasOnline())
        try vault.acknowledgeOnline()
        #expect(try !vault.wasOnline())
        #expect(
            try events(vault).suffix(3) == [
                .deviceWasOnline, .systemEntry("network detector failed"), .resetDangerRecord,
            ])
        #expect(try vault.log().suffix(2).map(\.entry.events.count) == [2, 1], "each was one transaction")
    }

    @Test(
        "what is noted while the vault is locked counts at once, and is logged before anything else at the next opening"
    )
    func locked() throws {
        let test = try TestVault(hasPIN: true)
        let before = try test.open(.read).log().count
        let time = TestVault.time.addingTimeInterval(-60)
        try Vault.noteNetwork([.wasOnline], in: test.folder, last: .wasOnline, now: time)
        #expect(test.person.reasons.count == 1, "nobody was asked for it")
        let facts = try Vault.networkFacts(in: test.folder)
        #expect(facts.wasOnline && facts.last == .wasOnline && facts.waiting.count == 1)
        #expect(try test.open(.read).wasOnline(), "also where it is opened to look")
        #expect(try test.open(.read).log().count == before)
        let vault = try test.open()
        #expect(try vault.log().count == before + 1 && events(vault).contains(.deviceWasOnline))
        #expect(try vault.database.readPublic { try $0.dangerousEncounter() })
        #expect(try Vault.networkFacts(in: test.folder).waiting.isEmpty)
        #expect(try Vault.networkFacts(in: test.folder).last == .wasOnline, "a connection that goes on is known")
        #expect(try vault.verifyLog().count == before + 1)
    }

    @Test("a look that finds what the last one found writes nothing")
    func unchanged() throws {
        let test = try TestVault()
        try Vault.noteNetwork([.wasOnline], in: test.folder, last: .wasOnline)
        let before = try test.files()
        try Vault.noteNetwork([], in: test.folder, last: .wasOnline)
        #expect(try test.files() == before)
    }

    @Test(
        "a note that cannot be read counts as a detector that failed",
        arguments: [
            "x", "casemate network 1\n", "casemate network 1\nsafe\n", "casemate network 2\nquiet\n",
            "casemate network 1\nquiet\n1 Nothing\n", "casemate network 1\nquiet\n-1 DeviceWasOnline\n",
            "casemate network 1\nquiet\n\u{0}",
        ])
    func unreadable(text: String) throws {
        let test = try TestVault()
        try Data(text.utf8).write(to: file(test))
        #expect(try Vault.networkFacts(in: test.folder).wasOnline)
        let vault = try test.open()
        #expect(try events(vault).contains(.systemEntry("network detector failed")) && vault.wasOnline())
        try vault.acknowledgeOnline()
        #expect(try !vault.wasOnline() && !Vault.networkFacts(in: test.folder).wasOnline)
    }

    @Test("so many connections that nobody opened the vault between them are kept, and no more")
    func bounded() throws {
        let test = try TestVault()
        for count in 0..<300 {
            try Vault.noteNetwork(
                [.wasOnline], in: test.folder, last: nil, now: Date(timeIntervalSince1970: Double(count)))
        }
        let waiting = try Vault.networkFacts(in: test.folder).waiting
        #expect(waiting.count == NetworkNote.most && waiting.first == Date(timeIntervalSince1970: 0))
    }

    @Test("whoever takes the flag out of the database file is noticed")
    func flagCleared() throws {
        let test = try TestVault()
        try test.open().note(.wasOnline)
        try change(test, "UPDATE settings SET value = x'00' WHERE key = CAST('dangerous_encounter' AS BLOB)")
        #expect(throws: SignerError.databaseDamaged(.tree("settings"))) { try test.open() }
        #expect(throws: SignerError.databaseDamaged(.tree("settings"))) { try test.open(.read) }
    }

    // MARK: What passes

    @Test("a vault is strict where nothing else was said, and its rows are those of before")
    func strict() throws {
        let test = try TestVault()
        let vault = try test.open()
        #expect(try vault.networkAllowance() == .strict)
        let rows = try vault.database.readPublic {
            try $0.pairs(.settings).map { String(decoding: $0.key, as: UTF8.self) }
        }
        #expect(!rows.contains("network_policy"))
        #expect(try events(vault).count == 2)
    }

    @Test("what passes is kept and logged, and taken back")
    func changed() throws {
        let test = try TestVault()
        let vault = try test.open()
        let state = try vault.database.readPublic { try $0.pairs(.settings).map(\.value) }
        let wide = NetworkAllowance(ignoresRadios: true, allowsNetwork: true)
        try vault.setNetworkAllowance(wide)
        try vault.setNetworkAllowance(wide)
        #expect(try test.open(.read).networkAllowance() == wide)
        #expect(try Vault.networkFacts(in: test.folder).allowance == wide)
        try vault.setNetworkAllowance(.strict)
        #expect(try vault.database.readPublic { try $0.pairs(.settings).map(\.value) } == state)
        #expect(
            try events(vault).suffix(2) == [
                .systemEntry("network policy: ignore-radios, network-allowed"), .systemEntry("network policy: strict"),
            ])
    }

    @Test("a person is asked before it is changed, also within a session")
    func asked() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession()
        let vault = try test.open()
        #expect(test.person.reasons.isEmpty)
        try vault.setNetworkAllowance(NetworkAllowance(allowsNetwork: true))
        #expect(test.person.reasons == [.seeds])
    }

    @Test("whoever writes it into the database file is noticed, also while the vault is open")
    func forged() throws {
        let test = try TestVault()
        do {
            let vault = try test.open()
            try change(test, "INSERT INTO settings VALUES (CAST('network_policy' AS BLOB), x'04')")
            #expect(throws: SignerError.databaseDamaged(.tree("settings"))) { try vault.networkAllowance() }
            #expect(throws: SignerError.databaseDamaged(.tree("settings"))) { try test.open(.read) }
        }
        #expect(throws: SignerError.databaseDamaged(.tree("settings"))) { try test.open() }
    }

    @Test("a value that was never written is refused", arguments: ["00", "08", "ff", "0400", ""])
    func malformed(hex: String) throws {
        let test = try TestVault()
        try change(test, "INSERT INTO settings VALUES (CAST('network_policy' AS BLOB), x'\(hex)')")
        #expect(throws: SignerError.self) { try Vault.networkFacts(in: test.folder) }
    }

    @Test("each thing that can be let pass has a name, and what is no name lets nothing pass")
    func names() {
        for number in 0..<8 {
            let allowance = NetworkAllowance(
                ignoresRadios: number & 1 != 0, ignoresGadgets: number & 2 != 0, allowsNetwork: number & 4 != 0)
            #expect(NetworkAllowance(names: allowance.names) == allowance)
        }
        for names in [["strict"], ["ignore-radios", ""], ["ignore-radios", "ignore-radios"], ["Ignore-Radios"]] {
            #expect(NetworkAllowance(names: names) == nil)
        }
    }
}
