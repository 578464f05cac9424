import Navigator
import SecretMemory
import Signer
import Substrate
import Testing

@testable import Screens
@testable import SignerCore

/// A walk through a vault by what is on its pages alone, from its set-up to its end: every screen, sheet and alert.
enum Tour {
    /// Every page on the way.
    static func pages() throws -> [Page] { try walked.get() }

    /// Walked once; the pages are values.
    private static let walked = Result { try setUp() + useKeys() + sign() + split() + manage() }

    static let password = "zwölf-Boote"

    // MARK: Set-up

    private static func setUp() throws -> [Page] {
        let window = try Window(isOnboarded: false)
        try window.setDetector(.connected)
        #expect(throws: Window.NotThere.self) { try window.press("begin") }
        try window.press("shield")
        try window.press("dismiss")
        try window.setDetector(.safe)
        let twice = ["credential": Window.credential, "credential-again": Window.credential]
        try window.press("begin", secrets: ["credential": Window.credential, "credential-again": "another one"])
        #expect(window.refusal?.isEmpty == false && window.page.position.screen == .airgapCheck)
        try window.press("begin", secrets: twice)
        try window.press("new-seed")
        try window.press("go", ["name": "Portia"])
        try window.press("close")
        try window.press("go", ["name": "Portia"])
        try NewSeed.store(in: window)
        #expect(window.page.position == Position(.keys))
        try window.press("Settings")
        try window.press("lock")
        try window.press("unlock", secrets: ["credential": "none of it"])
        try window.press("dismiss")
        try window.press("unlock", secrets: ["credential": Window.credential])
        try window.recoverAlice()
        return window.seen
    }

    // MARK: Keys

    private static func useKeys() throws -> [Page] {
        let window = try Window()
        try window.recoverAlice()
        try window.showWestend()
        try window.press("new-key")
        try window.press("make", ["path": "//a"])
        try window.press("new-key")
        try window.press("make", ["path": "//a"])
        try window.press("dismiss")
        #expect(window.page.plain.contains("This key is there already"))
        try window.press("make-with-password", ["path": "//b"], secrets: ["new-password": password])
        try window.press("make", secrets: ["password-again": password])
        try window.press(try window.id("more-"))
        try window.press("increment", ["count": "2"])
        try window.press(try window.id("select-"))
        try window.press("select-all")
        try window.press("show-selected")
        try window.press("next")
        try window.press("previous")
        try window.press("back")
        let key = try key("//a", in: window)
        try window.press(key)
        try window.press("menu")
        try window.press("export-secret", secrets: ["credential": ""])
        try window.press("close")
        try window.press("menu")
        try window.press("remove")
        try window.showWestend()
        try window.press("menu")
        try window.press("backup")
        try window.press("close")
        try window.press("Keys")
        try window.press("export-Alice")
        try window.press("back")
        return window.seen
    }

    private static func key(_ path: String, in window: Window) throws -> String {
        guard let row = window.page.activeRows.first(where: { $0.title.plain == path }) else {
            throw Window.NotThere(id: path, page: window.page.position)
        }
        return row.id
    }

    // MARK: What is scanned

    private static func sign() throws -> [Page] {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Scan")
        try window.scan(WestendPayload.proxy)
        try window.press("approve")
        try window.press("confirm", ["typed": "wrong"])
        try window.press("dismiss")
        try window.press("confirm", ["typed": String(WestendPayload.bobAddress.suffix(5))])
        try window.press("approve", ["comment": "a proxy"])
        try window.press("done")
        try window.press(try window.id("entry-"))
        try window.press("back")
        try window.press("menu")
        try window.press("note")
        try window.press("write", ["note": "seen"])
        try window.press("Scan")
        try window.scan(WestendPayload.paths(["//x", "//y"]))
        try window.press("approve")
        try window.press("set-Alice")
        try window.press("Scan")
        try window.scan(WestendPayload.request("//new"))
        try window.press("approve")
        try window.press("done")
        try window.press("Scan")
        try window.scan("53ff")
        try window.press("refuse")
        try password(in: window)
        return window.seen + (try publish())
    }

    /// A key with a password signs.
    private static func password(in window: Window) throws {
        try window.showWestend()
        try window.press("new-key")
        try window.press("make-with-password", ["path": "//p"], secrets: ["new-password": password])
        try window.press("make", secrets: ["password-again": password])
        let key = try #require(
            try window.host.openVault()?.keys().first { $0.details.path == "//p" && $0.details.hasPassword })
        let hex = SS58Text.hex(key.signer.publicKey)
        try window.press("Scan")
        try window.scan(
            WestendPayload.transaction(WestendPayload.transfer(5)).replacing(WestendPayload.author, with: hex))
        try window.press("approve")
        try window.press("go", secrets: ["password": "wrong"])
        try window.press("dismiss")
        #expect(window.page.plain.contains("2 of 3"))
        try window.press("go", secrets: ["password": password])
        #expect(window.page.position.modal == .signatureReady)
        try window.press("done")
        try window.press("Settings")
        try window.press("networks")
        try window.press("network-\(Window.westend)")
        try window.press("menu")
        try window.press("sign-specs")
        let row = try #require(window.page.activeRows.first { $0.title.plain == "Alice //p" })
        try window.press(try #require(row.choices.first).id)
        try window.press("go", secrets: ["password": password])
        #expect(window.page.position.modal == .sufficientCryptoReady)
        try window.press("done")
    }

    /// An update that is refused is signed for others.
    private static func publish() throws -> [Page] {
        let window = try Window()
        try window.recoverAlice()
        let network = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        try window.press("Scan")
        try window.scan(WestendPayload.unsigned(metadata: try #require(network.metadata.first)))
        try window.press("publish")
        try window.press(try window.id("sign-"))
        try window.press("done")
        return window.seen
    }

    // MARK: Shares

    private static func split() throws -> [Page] {
        let window = try Window(hasMetadata: false)
        try window.recoverAlice()
        try window.press("menu")
        try window.press("split")
        try window.press("split", ["total": "2", "required": "2"])
        var shares = [try share(of: window.page)]
        #expect(throws: Window.NotThere.self) { try window.press("passphrase") }
        try window.press("next")
        shares.append(try share(of: window.page))
        try window.press("previous")
        try window.press("passphrase")
        let passphrase = try #require(NewSeed.words(of: window.page))
        try window.press("done", secrets: ["passphrase": passphrase])
        #expect(window.refusal != nil)
        try window.press("done", ["written": "true"], secrets: ["passphrase": "other"])
        try window.press("dismiss")
        try window.press("done", ["written": "true"], secrets: ["passphrase": passphrase])
        #expect(window.page.position == Position(.keys))
        try window.press("menu")
        try window.press("remove-seed", secrets: ["credential": ""])
        try window.press("Keys")
        try window.press("recover-split")
        for share in shares { try window.scan(share) }
        try window.press("recover", ["name": "Again"], secrets: ["passphrase": passphrase])
        #expect(window.page.position == Position(.keys))
        return window.seen
    }

    private static func share(of page: Page) throws -> String {
        for case .code(let picture) in page.activeBlocks {
            if case .secret(let secret) = picture.source { return secret.text }
        }
        throw Window.NotThere(id: "share", page: page.position)
    }

    // MARK: The rest

    private static func manage() throws -> [Page] {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Settings")
        for row in ["self-check", "documents"] {
            try window.press(row)
            try window.press("back")
        }
        try contacts(in: window)
        try window.press("backup")
        try window.press("set-Alice")
        try window.press("close")
        try networks(in: window)
        try window.setDetector(.wasOnline)
        try window.press("shield")
        try window.press("acknowledge")
        try window.press("verifier")
        try window.press("forget")
        try window.press("close")
        try window.press("back")
        try window.press("Log")
        try window.press("menu")
        try window.press("clear")
        try window.press("Settings")
        try window.press("wipe")
        try window.press("confirm", ["typed": "wipe"])
        try window.press("dismiss")
        try window.press("confirm", ["typed": "WIPE"])
        #expect(window.page.position == Position(.seedSelector, modal: .newSeedMenu))
        return window.seen + (try broken())
    }

    private static func contacts(in window: Window) throws {
        try window.press("address-book")
        try window.press("new")
        try window.press("keep", ["name": "Bob", "address": "nothing"])
        try window.press("dismiss")
        try window.press("keep", ["name": "Bob", "address": WestendPayload.bobAddress, "note": "from the fair"])
        try window.press(try window.id("contact-"))
        try window.press("menu")
        try window.press("keep", ["name": "Robert"])
        #expect(window.page.title.plain == "Robert")
        try window.press("remove")
        try window.press("back")
    }

    private static func networks(in window: Window) throws {
        try window.press("Settings")
        try window.press("networks")
        try window.press("menu")
        try window.press("close")
        try window.press("network-\(Window.westend)")
        try window.press("metadata-9122")
        try window.press("sign")
        try window.press("back")
        try window.press("metadata-9122")
        try window.press("remove")
        try window.press("menu")
        try window.press("sign-specs")
        try window.press("back")
        try window.press("menu")
        try window.press("block")
        try window.press("confirm", ["typed": "Westend"])
        #expect(window.page.plain.contains("Blocked"))
        try window.press("back")
    }

    /// A page that cannot be made.
    private static func broken() throws -> [Page] {
        let window = try Window(hasMetadata: false)
        try window.recoverAlice()
        let vault = try #require(try window.host.openVault())
        for network in try vault.networks() { try vault.removeNetwork(network.genesisHash) }
        try window.press("Keys")
        try window.press("set-Alice")
        #expect(window.page.position == .broken)
        try window.press("dismiss")
        #expect(window.page.position == Position(.settings))
        return window.seen
    }
}

/// What a person does with the words of a new seed.
enum NewSeed {
    /// The words that a page shows, as text.
    static func words(of page: Page) -> String? {
        for case .words(let words) in page.activeBlocks {
            switch words.source {
            case .phrase(let phrase): return phrase.text
            case .shown(let all): return all.map(\.text).joined(separator: " ")
            case .onDemand: return nil
            }
        }
        return nil
    }

    /// Types the words that are asked for, and stores the seed.
    static func store(in window: Window) throws {
        let shown = try #require(NewSeed.words(of: window.page))
        let words = shown.split(separator: " ").map(String.init)
        let asked = window.page.activeFields.map(\.id.name).filter { $0.hasPrefix("word-") }
        var secrets: [String: String] = [:]
        for field in asked { secrets[field] = words[(Int(field.dropFirst(5)) ?? 1) - 1] }
        try window.press("create", ["written": "false"], secrets: secrets)
        #expect(window.refusal != nil && window.page.position.modal == .newSeedBackup)
        try window.press("create", ["written": "true"], secrets: secrets.mapValues { $0 + "s" })
        #expect(window.refusal != nil && window.page.position.modal == .newSeedBackup)
        try window.press("create", ["written": "true", "roots": "true"], secrets: secrets)
    }
}
