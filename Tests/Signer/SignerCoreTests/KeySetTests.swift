import Navigator
import SecretMemory
import Signer
import Substrate
import Testing

@testable import SignerCore

/// What is done with key sets beside the usual: names, words by choice, keys of other wallets.
@Suite("Key sets by choice")
struct KeySetTests {
    private func preview(_ page: ActionResult) throws -> KeyPreviewData {
        guard case .keyPreview(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    private func words(_ page: ActionResult) throws -> (data: NewSeedBackupData, text: String) {
        guard case .newSeedBackup(let data)? = page.modal else { throw CoreError.notPending }
        return (data, data.phrase.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }

    // MARK: Names

    @Test("a key set gets another name, and not one that is taken")
    func renamed() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        #expect(try test.act(.renameSeed).position == Position(.keys, modal: .seedRename))
        #expect(try test.act(.goForward, "Alice").errorCode == "SeedNameTaken")
        try test.act(.goBack)
        #expect(try test.act(.goForward, " ").errorCode == "EmptySeedName")
        try test.act(.goBack)
        let renamed = try test.act(.goForward, "Portia")
        #expect(renamed.rule == "T404" && renamed.position == Position(.seedSelector))
        #expect(try test.core.seedNames() == ["Portia"])
        let events = try test.host.openVault()?.log().last?.events
        #expect(events == ["SystemEntry seed renamed: Alice, Portia"])
    }

    @Test("no name is changed while the machine is connected")
    func connected() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        try test.act(.renameSeed)
        test.host.setDetector(.connected)
        #expect(try test.act(.goForward, "Portia").position.alert == .shield)
        #expect(try test.core.seedNames() == ["Alice"])
    }

    @Test("a seed's picture stays that of its sr25519 root when the root of another scheme becomes a key")
    func picture() throws {
        var bundle = try TestCore.bundle(hasMetadata: false)
        var edwards = try #require(bundle.networks.map(\.specs).first { $0.name == "westend" })
        (edwards.scheme, edwards.title) = (.ed25519, "Westend ed25519")
        bundle.networks.append(NetworkBundle.Network(specs: edwards, metadata: []))
        let test = try TestCore(bundle: bundle)
        _ = try test.recoverAlice()
        func root() throws -> String? {
            guard case .seedSelector(let data) = try test.act(.navbarKeys).screen else { return nil }
            return data.seeds.first?.root
        }
        let before = try #require(try root())
        _ = try test.host.openVault()?.deriveKey(seed: "Alice", path: "", password: nil, network: edwards)
        #expect(try root() == before)
    }

    // MARK: Words

    @Test("a phrase has as many words as were asked for", arguments: [12, 15, 18, 21, 24])
    func counts(count: Int) throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.newSeed)
        let shown = try test.act(.makePhrase, #"{"name":"Portia","words":"\#(count)"}"#)
        #expect(shown.rule == "T432")
        let (data, text) = try words(shown)
        #expect(data.wordCount == count && text.split(separator: " ").count == count && data.thrown == nil)
        #expect(try test.act(.goForward, "false").position == Position(.keys))
        #expect(try test.core.seedNames() == ["Portia"])
    }

    @Test("what was thrown is mixed with the machine's own source, never taken alone")
    func thrown() throws {
        let throwing = String(repeating: "1 6 2 5 3 4 4 ", count: 8)
        func made(seed: UInt64, _ throwing: String) throws -> String {
            let test = try TestCore(random: RepeatedRandom(seed: seed))
            try test.act(.start)
            try test.act(.newSeed)
            let wish = #"{"name":"Portia","words":"15","thrown":["dice"]}"#
            let (data, text) = try words(test.act(.makePhrase, wish, secret: throwing))
            #expect(data.thrown == "56 throws of dice were mixed in: 144 bits if they are fair.")
            return text
        }
        let source = MixedRandom([
            RepeatedRandom(seed: 7), try ThrownRandom(KnownShares.secret(throwing), of: .dice),
        ])
        let expected = try Mnemonic.generate(wordCount: 15, from: source).phrase()
        #expect(try made(seed: 7, throwing) == expected.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        #expect(try made(seed: 7, throwing) != made(seed: 8, throwing))
        #expect(try made(seed: 7, throwing) != made(seed: 7, throwing.replacing("6", with: "1")))
    }

    @Test(
        "words that cannot be made so are refused, and none are shown",
        arguments: [
            ("", "", "Codec"), (#"{"name":"Portia","words":"13"}"#, "", "InvalidMnemonic"),
            (#"{"name":"","words":"12"}"#, "", "EmptySeedName"), (#"{"name":"P","words":"many"}"#, "", "Codec"),
            (#"{"name":"P","thrown":["bones"]}"#, "", "Codec"),
            (#"{"name":"P","thrown":["dice"]}"#, "", "TooFewThrows"),
            (#"{"name":"P","thrown":["coins"]}"#, "012", "NoThrow"),
        ])
    func refused(wish: String, throwing: String, code: String) throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.newSeed)
        let refused = try test.act(.makePhrase, wish, secret: throwing)
        #expect(refused.errorCode == code && refused.position == Position(.newSeed, alert: .error))
    }

    // MARK: Keys of other wallets

    @Test("the addresses of the development phrase in other wallets are those that everybody knows")
    func previewed() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        let entries = try test.host.openVault()?.log().count
        let first = try preview(test.act(.previewKeys))
        #expect(first.rows.contains { $0.scheme == "sr25519" && $0.path == "//polkadot" })
        let wish = #"{"paths":"//Alice m/44'/60'/0'/0/0","network":"42","accounts":"1"}"#
        let shown = try preview(test.act(.goForward, wish))
        func address(_ scheme: String, _ path: String) -> String? {
            shown.rows.first { $0.scheme == scheme && $0.path == path }?.address
        }
        #expect(address("sr25519", "") == "5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV")
        #expect(address("sr25519", "//Alice") == "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(address("ed25519", "//Alice") == "5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu")
        #expect(address("ethereum-bip44", "m/44'/60'/0'/0/0") == "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac")
        #expect(try test.act(.goBack).position == Position(.keys))
        // Nothing is logged, and no key is stored.
        #expect(try test.host.openVault()?.log().count == entries)
    }

    @Test("words that were typed are looked at before they are stored, and are still there behind it")
    func typed() throws {
        let test = try TestCore()
        try test.act(.start)
        try test.act(.recoverSeed)
        try test.act(.goForward, "Alice")
        #expect(try test.act(.previewKeys).errorCode == "InvalidMnemonic")
        try test.act(.goBack)
        for word in TestCore.phrase.split(separator: " ") { try test.act(.textEntry, "", secret: " \(word) ") }
        let shown = try preview(test.act(.previewKeys))
        #expect(shown.rows.first?.address == "5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV")
        #expect(try test.core.seedNames() == [])
        let back = try test.act(.goBack)
        #expect(back.rule == "T448" && back.position == Position(.recoverSeedPhrase))
        #expect(try test.act(.goForward, "false").position == Position(.keys))
        #expect(try test.core.seedNames() == ["Alice"])
    }

    @Test("a password makes other keys, and one beyond ASCII is told of")
    func password() throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        let first = try preview(test.act(.previewKeys))
        let wish = #"{"paths":"","network":"","accounts":"2"}"#
        let shown = try preview(test.act(.goForward, wish, secret: "zwölf"))
        #expect(shown.hasPassword && shown.isPasswordAmbiguous && !first.hasPassword)
        #expect(shown.rows.allSatisfy { row in !first.rows.contains { $0.publicKey == row.publicKey } })
    }

    @Test(
        "what cannot be looked at is refused",
        arguments: [
            ("", "Codec"), (#"{"paths":"","network":"","accounts":"0"}"#, "Codec"),
            (#"{"paths":"x","network":"","accounts":"1"}"#, "InvalidDerivation"),
            (#"{"paths":"","network":"16384","accounts":"1"}"#, "Codec"),
            (#"{"paths":"","network":"nowhere","accounts":"1"}"#, "NetworkSpecsNotFound"),
        ])
    func unseen(wish: String, code: String) throws {
        let test = try TestCore()
        _ = try test.recoverAlice()
        try test.act(.rightButtonAction)
        try test.act(.previewKeys)
        #expect(try test.act(.goForward, wish).errorCode == code)
    }
}
