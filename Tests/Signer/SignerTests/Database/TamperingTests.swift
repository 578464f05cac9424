import Foundation
import GRDB
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import Signer

@Suite("Rows that somebody changed without the key")
struct TamperingTests {
    private static func damage(_ vault: TestVault, _ access: Vault.Access = .read) -> SignerError.Damage? {
        let error = #expect(throws: SignerError.self) { _ = try vault.open(access) }
        guard case .databaseDamaged(let damage)? = error else { return nil }
        return damage
    }

    /// A vault with a seed and three contacts: each tree has rows.
    private static func withContacts(_ test: TestVault) throws -> Vault {
        let vault = try test.withSeed()
        for (number, name) in ["Ann", "Bob", "Eve"].enumerated() {
            let account = [UInt8](repeating: UInt8(number + 1), count: 32)
            try vault.saveContact(Contact(accountID: account, name: name, origin: .typed))
        }
        return vault
    }

    /// A vault with a seed, and rows that each tree had before they were written again.
    private static func filled(_ test: TestVault, _ tree: Tree) throws -> [(key: Data, value: Data)] {
        let vault = try withContacts(test)
        let old = try Tampering.rows(tree, in: test.folder)
        try vault.database.write { trees in
            // Sealed anew; what is not sealed gets another value.
            for (key, value) in try trees.pairs(tree) where key != Setting.schemaVersion.key {
                try trees.put(tree, key: key, value: tree.privacy == .none ? value + [0] : value)
            }
        }
        return old
    }

    /// The rows of another vault.
    private static func elsewhere(_ tree: Tree) throws -> [(key: Data, value: Data)] {
        let other = try TestVault()
        _ = try withContacts(other)
        return try Tampering.rows(tree, in: other.folder)
    }

    private static let edits = Tree.counted.flatMap { tree in Tampering.allCases.map { (tree, $0) } }.filter {
        tree, edit in
        // All verifiers are the same: they cannot be told when they change places, which changes nothing.
        !(tree == .verifiers && edit == .swapped)
    }

    @Test("every edit of every tree is noticed as the vault opens, and named", arguments: edits)
    func edited(_ tree: Tree, _ edit: Tampering) throws {
        let test = try TestVault()
        let old = try Self.filled(test, tree)
        try edit.apply(to: tree, in: test.folder, old: old, other: edit == .foreign ? Self.elsewhere(tree) : [])
        let bytes = try test.files().filter { $0.key != "key/attempts.mk" }
        let damage = Self.damage(test)
        switch (tree, edit) {
        case (_, .emptied): #expect(damage == .tableMissing(tree.rawValue))
        case (.history, .allRemoved): #expect(damage == .log)
        // The last row is the version, which is looked at before the key is there.
        case (.settings, .allRemoved), (.settings, .removed), (.settings, .moved), (.settings, .swapped):
            #expect(damage == .missingSetting("schema_version"))
        case (.settings, .changed): #expect(damage == nil, "it is of another version, which is refused as such")
        case (_, .typed):
            guard case .row(tree.rawValue, _)? = damage else {
                Issue.record("found \(String(describing: damage))")
                return
            }
        default: #expect(damage == .tree(tree.rawValue))
        }
        // Nothing is mended, and nothing begun anew.
        _ = Self.damage(test, .write)
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == bytes)
    }

    @Test(
        "a log and its digest that are both gone are damage, and so is what says what the rows amount to",
        arguments: [
            ("DELETE FROM history; DELETE FROM inventory", SignerError.Damage.log),
            ("DELETE FROM inventory", .inventory), ("UPDATE inventory SET content = zeroblob(61)", .inventory),
            ("UPDATE inventory SET content = 7", .inventory), ("DROP TABLE inventory", .tableMissing("inventory")),
            ("INSERT INTO inventory SELECT content FROM inventory", .inventory),
            ("DROP TABLE history; DROP TABLE inventory", .tableMissing("history")),
            ("CREATE TRIGGER t AFTER INSERT ON history BEGIN DELETE FROM history; END", .tables),
            ("ALTER TABLE addresses RENAME TO a; CREATE VIEW addresses AS SELECT * FROM a", .tables),
            ("CREATE TABLE log_digest (digest BLOB)", .tables), ("CREATE INDEX i ON history (value)", .tables),
            ("DELETE FROM addresses", .tree("addresses")),
        ] as [(String, SignerError.Damage)])
    func deleted(_ sql: String, _ expected: SignerError.Damage) throws {
        let test = try TestVault()
        _ = try test.withSeed()
        try Tampering.execute(sql, in: test.folder)
        #expect(Self.damage(test) == expected)
        #expect(Self.damage(test, .write) == expected)
    }

    @Test("an inventory of another vault does not open here")
    func foreignInventory() throws {
        let (test, other) = (try TestVault(), try TestVault())
        let content = try DatabaseQueue(path: Tampering.path(in: other.folder)).read {
            try Data.fetchOne($0, sql: "SELECT content FROM inventory")
        }
        try Tampering.execute("UPDATE inventory SET content = ?", [content], in: test.folder)
        #expect(Self.damage(test) == .inventory)
    }

    @Test("rows that changed places within a page, where a search finds them no more, are noticed though all are there")
    func misplaced() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let rows = try Tampering.rows(.addresses, in: test.folder)
        let file = URL(filePath: Tampering.path(in: test.folder))
        var bytes = try Data(contentsOf: file)
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let page = try #require(
            stride(from: pageSize, to: bytes.count, by: pageSize).first { start in
                // A leaf of an index, which a table without row numbers is.
                bytes[start] == 0x0a && bytes[start..<start + pageSize].range(of: rows[0].key) != nil
            })
        // The first two of the page's pointers to its cells.
        let pointers = Data(bytes[page + 8..<page + 12])
        bytes.replaceSubrange(page + 8..<page + 12, with: pointers.suffix(2) + pointers.prefix(2))
        try bytes.write(to: file)
        #expect(Self.damage(test) == .tree("addresses"))
    }

    @Test("what is changed in a vault that is open stays noticed when more is written")
    func whileOpen() throws {
        let test = try TestVault()
        do {
            let vault = try test.withSeed()
            try Tampering.removed.apply(to: .history, in: test.folder)
            let westend = try vault.network(named: "westend")
            _ = try? vault.deriveKey(seed: "demo", path: "//more", password: nil, network: westend)
        }
        #expect(Self.damage(test) == .tree("history"))
    }

    @Test("a database that was copied out earlier and put back is refused, though all of it agrees")
    func olderDatabase() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let old = try test.files()
        let westend = try test.open(.read).network(named: "westend")
        _ = try test.open().deriveKey(seed: "demo", path: "//more", password: nil, network: westend)
        let new = try test.files()
        try #require(old["vault.sqlite"]).write(to: test.folder.appending(path: "vault.sqlite"))
        #expect(Self.damage(test) == .olderDatabase)
        #expect(Self.damage(test, .write) == .olderDatabase)
        try #require(new["vault.sqlite"]).write(to: test.folder.appending(path: "vault.sqlite"))
        #expect(try test.open(.read).keys().count == 6)
    }

    @Test("random edits are always noticed, and a vault that nobody edited always opens", arguments: 0..<6)
    func random(_ round: Int) throws {
        var random = SplitMix64(state: 10)
        let test = try TestVault()
        do {
            let vault = try test.withSeed()
            let westend = try vault.network(named: "westend")
            for step in 0..<Int.random(in: 1...6, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: _ = try vault.deriveKey(seed: "demo", path: "//\(step)", password: nil, network: westend)
                case 1: _ = try test.sign(TestVault.transfer(), in: vault)
                default: _ = try vault.createSeed(named: "seed \(step)", wordCount: 12) { _ in }
                }
            }
        }
        let keys = try test.open(.read).keys()
        #expect(try test.open(.read).verifyLog().count > 1)
        let whole = try test.files()
        for _ in 0..<12 {
            let tree = try #require(
                [Tree.addresses, .history, .metadata, .chainspecs, .verifiers].randomElement(using: &random))
            let rows = try Tampering.rows(tree, in: test.folder)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let row = try #require(rows.randomElement(using: &random))
                var value = row.value
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    try Tampering.execute("DELETE FROM \"\(tree.rawValue)\" WHERE key = ?", [row.key], in: test.folder)
                case 1:
                    value[value.indices.randomElement(using: &random)!] &+= UInt8.random(in: 1...255, using: &random)
                    try Tampering.set(tree, row.key, to: value, in: test.folder)
                default: try Tampering.set(tree, Data(row.key.reversed() + [0]), to: value, in: test.folder)
                }
            }
            #expect(Self.damage(test) != nil)
            try #require(whole["vault.sqlite"]).write(to: test.folder.appending(path: "vault.sqlite"))
        }
        #expect(try test.open(.read).keys() == keys)
    }
}
