import SecretMemory
import SplitBackup
import TestSupport
import Testing

@testable import Signer

@Suite("A seed that is split and joined")
struct SeedSplitTests {
    private static func set(_ shares: some Sequence<BackupShare>) throws -> ShareSet {
        var scan = ShareScan()
        for share in shares { _ = scan.take(share.utf8) }
        return try #require(scan.shares)
    }

    private static func log(_ vault: Vault) throws -> [String] { try vault.log().flatMap(\.events) }

    @Test("two of three shares and the passphrase give it back in another vault, with all of its keys")
    func roundTrip() throws {
        let place = try TestVault()
        let vault = try place.withSeed()
        let split = try vault.split(seed: "demo", title: "Demo", plan: .proposed)
        let shares = try vault.shares(of: split, confirming: split.passphrase)
        #expect(shares.count == 3 && shares.allSatisfy { $0.title == "Demo" && $0.required == 2 })
        let other = try TestVault()
        let empty = try other.open()
        var set = try Self.set([shares[2], shares[0]])
        try empty.recoverSeed(named: set.title, from: &set, passphrase: split.passphrase)
        #expect(try Set(empty.keys().map(\.signer.publicKey)) == Set(vault.keys().map(\.signer.publicKey)))
    }

    @Test(
        "the title of a name that is longer than titles are is its beginning, in whole characters",
        arguments: [
            ("demo", "demo"), (String(repeating: "e\u{301}", count: 64), String(repeating: "e\u{301}", count: 32)),
            ("a" + String(repeating: "e\u{301}", count: 63), "a" + String(repeating: "e\u{301}", count: 31)),
            (
                "a" + String(repeating: "\u{301}", count: 100),
                "a" + String(repeating: "\u{301}", count: SplitPlan.longestTitle - 1)
            ),
        ])
    func titles(name: String, title: String) throws {
        let vault = try TestVault().withSeed()
        if name != "demo" { #expect(try vault.renameSeed(named: "demo", to: name) == name) }
        let split = try vault.split(seed: name, plan: .proposed)
        #expect(Array(split.title.unicodeScalars) == Array(title.unicodeScalars))
        #expect(try vault.shares(of: split, confirming: split.passphrase).count == 3)
    }

    @Test("the log says that it was split before there are shares, and nothing of it")
    func logged() throws {
        let vault = try TestVault().withSeed()
        let before = try Self.log(vault)
        let split = try vault.split(seed: "demo", title: "Secret title", plan: .proposed)
        #expect(throws: ShareError.confirmationMismatch) {
            try vault.shares(of: split, confirming: TestVault.secret("four-wrong-words-here"))
        }
        #expect(try Self.log(vault) == before)
        _ = try vault.shares(of: split, confirming: split.passphrase)
        #expect(
            try Self.log(vault).dropFirst(before.count)
                == ["SystemEntry seed demo was split: 2 of 3 shares recover it"])
    }

    @Test("a seed that is here is named, whatever name it would get")
    func alreadyThere() throws {
        let vault = try TestVault().withSeed()
        let split = try vault.split(seed: "demo", title: "demo", plan: .proposed)
        let shares = try vault.shares(of: split, confirming: split.passphrase)
        let count = try vault.keys().count
        for name in ["demo", "another"] {
            var set = try Self.set(shares)
            #expect(throws: SignerError.seedAlreadyExists(name: "demo")) {
                try vault.recoverSeed(named: name, from: &set, passphrase: split.passphrase)
            }
        }
        #expect(try vault.keys().count == count)
    }

    @Test("wrong passphrases are counted, and nothing is stored")
    func wrongPassphrases() throws {
        let vault = try TestVault().withSeed()
        let split = try vault.split(seed: "demo", title: "Demo", plan: .proposed)
        let shares = try vault.shares(of: split, confirming: split.passphrase)
        let other = try TestVault()
        let empty = try other.open()
        let (rows, log) = (try empty.keys().count, try Self.log(empty))
        var set = try Self.set(shares)
        for left in [2, 1, 0] {
            #expect(throws: ShareError.decodingFailed(attemptsLeft: left)) {
                try empty.recoverSeed(named: "demo", from: &set, passphrase: TestVault.secret("a-b-c-d"))
            }
        }
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 0)) {
            try empty.recoverSeed(named: "demo", from: &set, passphrase: split.passphrase)
        }
        #expect(try empty.keys().count == rows)
        #expect(try Self.log(empty) == log)
    }

    @Test("a text that is no phrase is refused")
    func noPhrase() throws {
        let split = try NewSplit(of: TestVault.secret("a letter to myself"), title: "Letter", plan: .proposed)
        var set = try Self.set(split.shares(confirming: split.passphrase))
        let vault = try TestVault().withSeed()
        #expect(throws: ShareError.invalidMnemonic) {
            try vault.recoverSeed(named: "letter", from: &set, passphrase: split.passphrase)
        }
        #expect(try vault.keys().allSatisfy { $0.details.seedName == "demo" })
    }

    @Test("limits hold before there is a passphrase")
    func limits() throws {
        let vault = try TestVault().withSeed()
        #expect(throws: ShareError.splitLimits(.title)) { try vault.split(seed: "demo", title: "", plan: .proposed) }
        #expect(throws: ShareError.splitLimits(.passphraseWords(3))) {
            try vault.split(seed: "demo", title: "Demo", plan: .proposed, wordCount: 3)
        }
        #expect(throws: SignerError.seedNotFound(name: "nobody")) {
            try vault.split(seed: "nobody", title: "Demo", plan: .proposed)
        }
    }
}
