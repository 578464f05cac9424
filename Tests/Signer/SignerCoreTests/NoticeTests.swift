import Navigator
import Signer
import Testing

@testable import SignerCore

/// What a person should know, where it is shown.
@Suite("Notices of the core")
struct NoticeTests {
    private static let other = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private func keys(_ page: ActionResult) throws -> KeysData {
        guard case .keys(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    @Test(
        "the public development phrase is told wherever it is recovered, and where its seed is chosen; others are not")
    func developmentPhrase() throws {
        let test = try TestCore()
        #expect(try keys(test.recoverAlice()).notices.map(\.code) == ["DevelopmentPhrase"])
        try test.act(.goBack)
        try test.act(.rightButtonAction)
        try test.act(.recoverSeed)
        try test.act(.goForward, "Portia")
        let portia = try keys(test.act(.goForward, "false", secret: Self.other))
        #expect(portia.notices == [])
        guard case .seedSelector(let list) = try test.act(.goBack).screen else { throw CoreError.notPending }
        #expect(list.seeds.filter(\.isPublic).map(\.name) == ["Alice"])
        #expect(try keys(test.act(.selectSeed, "Alice")).notices.first?.text.contains("Alice") == true)
    }

    @Test("it is told as soon as its last word is typed")
    func typed() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.recoverSeed)
        try test.act(.goForward, "Alice")
        let words = TestCore.phrase.split(separator: " ").map(String.init)
        for (number, word) in words.enumerated() {
            guard case .recoverSeedPhrase(let page) = try test.act(.pushWord, word).screen else {
                throw CoreError.notPending
            }
            #expect(page.isReady == (number == 11))
            #expect(page.notices.map(\.code) == (number == 11 ? ["DevelopmentPhrase"] : []))
        }
    }

    @Test("from shares it is told as well")
    func shares() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.recoverSplit)
        let set = try #require(try KnownShares.sets()["alice-2of3"])
        for share in set.shares.prefix(2) { try test.act(.shareFetched, share) }
        let recovered = try test.act(.goForward, "", secret: set.passphrase)
        #expect(recovered.rule == "T237")
        #expect(try keys(recovered).notices.map(\.code) == ["DevelopmentPhrase"])
    }

    @Test("an empty phrase, and words that are none yet, are refused by name")
    func incomplete() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.recoverSeed)
        try test.act(.goForward, "Alice")
        #expect(try test.act(.goForward, "false").errorCode == "EmptySeed")
        try test.act(.goBack)
        try test.act(.pushWord, "bottom")
        let incomplete = try test.act(.goForward, "false")
        #expect(incomplete.errorCode == "InvalidMnemonic")
        #expect(try Provocation.alert(incomplete).parameters == ["words": "1"])
    }

    @Test("the parent of a soft child whose secret left the vault, and all below it, are at risk on cards and pages")
    func softParent() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.networkSelector)
        try test.act(.changeNetwork, TestCore.westend)
        for path in ["//a", "//a/sibling", "//a//hard", "//b"] {
            try test.act(.newKey)
            try test.act(.goForward, path)
        }
        try test.act(.newKey)
        let page = try keys(test.act(.goForward, "//a/soft"))
        #expect(page.keys.allSatisfy { !$0.isSoftParentAtRisk })
        let child = try #require(page.keys.first { $0.path == "//a/soft" })
        guard case .keyDetails(let before) = try test.act(.selectKey, child.addressKey).screen else { return }
        #expect(before.givesAway == 3 && before.givesParent)
        try test.act(.rightButtonAction)
        try test.act(.exportSecret)
        try test.act(.goBack)
        let after = try keys(test.act(.goBack))
        #expect(after.keys.filter(\.isSoftParentAtRisk).map(\.path) == ["//a", "//a//hard", "//a/sibling"])
        #expect(after.keys.filter(\.isExposed).map(\.path) == ["//a/soft"])
        let parent = try #require(after.keys.first { $0.path == "//a" })
        guard case .keyDetails(let details) = try test.act(.selectKey, parent.addressKey).screen else { return }
        #expect(details.key.isSoftParentAtRisk && !details.key.isExposed)
    }
}
