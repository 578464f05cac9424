import Navigator
import SecretMemory
import Signer
import Substrate
import TestSupport

@testable import Screens
@testable import SignerCore

/// A walk through a vault by what is on its pages alone, from its set-up to its end: every screen, sheet and alert.
package struct Tour {
    let names: Names

    /// Every page on the way.
    package static func pages(_ names: Names = .usual) throws -> [Page] {
        try (names == .hostile ? walkedHostile : walked).get()
    }

    // Walked once; the pages are values.
    private static let walked = Result { try Tour(names: .usual).walk() }
    private static let walkedHostile = Result { try Tour(names: .hostile).walk() }

    private func walk() throws -> [Page] {
        try setUp() + useKeys() + sign() + split() + keepVault() + manage() + look()
    }

    package static let password = "zwölf-Boote"

    /// Something on the way was not as it has to be.
    package struct Lost: Error, CustomStringConvertible {
        package var description: String
    }

    static func check(_ isSo: Bool, _ what: @autoclosure () -> String = "", line: Int = #line) throws {
        if !isSo { throw Lost(description: "line \(line): \(what())") }
    }

    static func found<Value>(_ value: Value?, line: Int = #line) throws -> Value {
        guard let value else { throw Lost(description: "line \(line): nothing is there") }
        return value
    }

    /// A control is not there, or cannot be pressed.
    static func isRefused(_ press: () throws -> Void, line: Int = #line) throws {
        do { try press() } catch is Window.NotThere { return }
        throw Lost(description: "line \(line): it was not refused")
    }

    // MARK: Set-up

    private func setUp() throws -> [Page] {
        let window = try Window(names, isOnboarded: false)
        try window.setDetector(.connected)
        try Self.isRefused { try window.press("begin") }
        try window.press("shield")
        try window.press("dismiss")
        try window.setDetector(.safe)
        let twice = ["credential": Window.credential, "credential-again": Window.credential]
        try window.press("begin", secrets: ["credential": Window.credential, "credential-again": "another one"])
        try Tour.check(window.refusal?.isEmpty == false && window.page.position.screen == .airgapCheck)
        try window.press("begin", secrets: twice)
        try window.press("new-seed")
        try window.press("go", ["name": names.fresh])
        try window.press("close")
        try window.press("go", ["name": names.fresh])
        try NewSeed.store(in: window)
        try Tour.check(window.page.position == Position(.keys))
        try window.press("Settings")
        try window.press("lock")
        try window.press("unlock", secrets: ["credential": "none of it"])
        try window.press("dismiss")
        try window.press("unlock", secrets: ["credential": Window.credential])
        try window.recoverAlice()
        return window.seen
    }

    // MARK: Keys

    private func useKeys() throws -> [Page] {
        let window = try Window(names)
        try window.recoverAlice()
        try window.showWestend()
        try window.press("new-key")
        try window.press("make", ["path": names.path])
        try window.press("new-key")
        try window.press("make", ["path": names.path])
        try window.press("dismiss")
        try Tour.check(window.page.plain.contains("This key is there already"))
        try window.press("make-with-password", ["path": "//b"], secrets: ["new-password": Tour.password])
        try window.press("make", secrets: ["password-again": Tour.password])
        try window.press(try window.id("more-"))
        try window.press("increment", ["count": "2"])
        try window.press(try window.id("select-"))
        try window.press("select-all")
        try window.press("show-selected")
        try window.press("next")
        try window.press("previous")
        try window.press("back")
        let key = try key(names.path, in: window)
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
        try window.press("export-\(names.keySet)")
        try window.press("back")
        return window.seen
    }

    private func key(_ path: String, in window: Window) throws -> String {
        guard let row = window.page.activeRows.first(where: { $0.title == Text(path: path) }) else {
            throw Window.NotThere(id: path, page: window.page.position)
        }
        return row.id
    }

    // MARK: What is scanned

    private func sign() throws -> [Page] {
        let window = try Window(names)
        try window.recoverAlice()
        try window.press("Scan")
        try window.scan(WestendPayload.proxy)
        try window.press("approve")
        try window.press("confirm", ["typed": "wrong"])
        try window.press("dismiss")
        try window.press("confirm", ["typed": String(WestendPayload.bobAddress.suffix(5))])
        try window.press("approve", ["comment": names.comment])
        try window.press("done")
        try window.press(try window.id("entry-"))
        try window.press("back")
        try window.press("menu")
        try window.press("note")
        try window.press("write", ["note": names.logNote])
        try window.press("Scan")
        try window.scan(WestendPayload.paths(["//x", "//y"]))
        try window.press("approve")
        try window.press("set-\(names.keySet)")
        try window.press("Scan")
        try window.scan(WestendPayload.request("//new"))
        try window.press("approve")
        try window.press("done")
        for payload in names.payloads + ["53ff"] {
            try window.press("Scan")
            try window.scan(payload)
            try window.press("refuse")
        }
        try password(in: window)
        try exposedKey(in: window)
        return window.seen + (try publish())
    }

    /// A key with a password signs.
    private func password(in window: Window) throws {
        try window.showWestend()
        try window.press("new-key")
        try window.press("make-with-password", ["path": "//p"], secrets: ["new-password": Tour.password])
        try window.press("make", secrets: ["password-again": Tour.password])
        let key = try Tour.found(
            try window.host.openVault()?.keys().first { $0.details.path == "//p" && $0.details.hasPassword })
        let hex = SS58Text.hex(key.signer.publicKey)
        try window.press("Scan")
        try window.scan(
            WestendPayload.transaction(WestendPayload.transfer(5)).replacing(WestendPayload.author, with: hex))
        try window.press("approve")
        try window.press("go", secrets: ["password": "wrong"])
        try window.press("dismiss")
        try Tour.check(window.page.plain.contains("2 of 3"))
        try window.press("go", secrets: ["password": Tour.password])
        try Tour.check(window.page.position.modal == .signatureReady)
        try window.press("done")
        try window.press(try signingSpecs(by: "//p", in: window))
        try window.press("go", secrets: ["password": Tour.password])
        try Tour.check(window.page.position.modal == .sufficientCryptoReady, window.page.plain)
        try window.press("done")
    }

    /// A key whose secret may be out signs for other vaults.
    private func exposedKey(in window: Window) throws {
        try window.showWestend()
        try window.press("new-key")
        try window.press("make", ["path": "//e"])
        try window.press(try key("//e", in: window))
        try window.press("menu")
        try window.press("export-secret", secrets: ["credential": ""])
        try window.press("close")
        try window.press("back")
        let sign = try signingSpecs(by: "//e", in: window)
        try window.press(sign)
        try window.press("confirm", ["typed": "wrong"])
        try window.press("dismiss")
        try window.press("close")
        try window.press(sign)
        try window.press("confirm", ["typed": String(sign.suffix(5))])
        try window.press(sign)
        try Tour.check(window.page.position.modal == .sufficientCryptoReady, window.page.plain)
        try window.press("done")
    }

    /// Goes to where Westend's specs are signed for other vaults.
    ///
    /// - Returns: the button of the key at the path.
    private func signingSpecs(by path: String, in window: Window) throws -> String {
        try window.press("Settings")
        try window.press("networks")
        try window.press("network-\(Window.westend)")
        try window.press("menu")
        try window.press("sign-specs")
        let row = try Tour.found(window.page.activeRows.first { $0.title.plain.hasSuffix(" " + path) })
        return try Tour.found(row.choices.first).id
    }

    /// An update that is refused is signed for others.
    private func publish() throws -> [Page] {
        let window = try Window(names)
        try window.recoverAlice()
        let network = try Tour.found(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        try window.press("Scan")
        try window.scan(WestendPayload.unsigned(metadata: try Tour.found(network.metadata.first)))
        try window.press("publish")
        try window.press(try window.id("sign-"))
        try window.press("done")
        return window.seen
    }

    // MARK: Shares

    private func split() throws -> [Page] {
        let window = try Window(names, hasMetadata: false)
        try window.recoverAlice()
        try window.press("menu")
        try window.press("split")
        try window.press("split", ["total": "2", "required": "2"])
        var shares = [try share(of: window.page)]
        try Self.isRefused { try window.press("passphrase") }
        try window.press("next")
        shares.append(try share(of: window.page))
        try window.press("previous")
        try window.press("passphrase")
        let passphrase = try Tour.found(NewSeed.words(of: window.page))
        try window.press("done", secrets: ["passphrase": passphrase])
        try Tour.check(window.refusal != nil)
        try window.press("done", ["written": "true"], secrets: ["passphrase": "other"])
        try window.press("dismiss")
        try window.press("done", ["written": "true"], secrets: ["passphrase": passphrase])
        try Tour.check(window.page.position == Position(.keys))
        try window.press("menu")
        try window.press("remove-seed", secrets: ["credential": ""])
        try window.press("Keys")
        try window.press("recover-split")
        for share in shares { try window.scan(share) }
        try window.press("recover", ["name": names.again], secrets: ["passphrase": passphrase])
        try Tour.check(window.page.position == Position(.keys))
        return window.seen
    }

    private func share(of page: Page) throws -> String {
        for case .code(let picture) in page.activeBlocks {
            if case .secret(let secret) = picture.source { return secret.text }
        }
        throw Window.NotThere(id: "share", page: page.position)
    }

    // MARK: The rest

    private func manage() throws -> [Page] {
        let window = try Window(names)
        try window.recoverAlice()
        try window.press("Settings")
        for row in ["self-check", "documents"] {
            try window.press(row)
            try window.press("back")
        }
        try contacts(in: window)
        try window.press("backup")
        try window.press("set-\(names.keySet)")
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
        try Tour.check(window.page.position == Position(.seedSelector, modal: .newSeedMenu))
        return window.seen + (try broken())
    }

    private func contacts(in window: Window) throws {
        try window.press("address-book")
        try window.press("new")
        try window.press("keep", ["name": names.contact, "address": "nothing"])
        try window.press("dismiss")
        try window.press("keep", ["name": names.contact, "address": WestendPayload.bobAddress, "note": names.note])
        try window.press(try window.id("contact-"))
        try window.press("menu")
        try window.press("keep", ["name": names.renamed])
        try Tour.check(window.page.title == Text(name: names.renamed))
        try window.press("remove")
        try window.press("back")
    }

    private func networks(in window: Window) throws {
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
        try window.press("confirm", ["typed": names.network])
        try Tour.check(window.page.plain.contains("Blocked"))
        try window.press("back")
    }

    /// A page that cannot be made.
    private func broken() throws -> [Page] {
        let window = try Window(names, hasMetadata: false)
        try window.recoverAlice()
        let vault = try Tour.found(try window.host.openVault())
        for network in try vault.networks() { try vault.removeNetwork(network.genesisHash) }
        try window.press("Keys")
        try window.press("set-\(names.keySet)")
        try Tour.check(window.page.position == .broken)
        try window.press("dismiss")
        try Tour.check(window.page.position == Position(.settings))
        return window.seen
    }
}

/// What a person does with the words of a new seed.
package enum NewSeed {
    /// The words that a page shows, as text.
    package static func words(of page: Page) -> String? {
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
    package static func store(in window: Window) throws {
        let shown = try Tour.found(NewSeed.words(of: window.page))
        let words = shown.split(separator: " ").map(String.init)
        let asked = window.page.activeFields.map(\.id.name).filter { $0.hasPrefix("word-") }
        var secrets: [String: String] = [:]
        for field in asked { secrets[field] = words[(Int(field.dropFirst(5)) ?? 1) - 1] }
        try window.press("create", ["written": "false"], secrets: secrets)
        try Tour.check(window.refusal != nil && window.page.position.modal == .newSeedBackup)
        try window.press("create", ["written": "true"], secrets: secrets.mapValues { $0 + "s" })
        try Tour.check(window.refusal != nil && window.page.position.modal == .newSeedBackup)
        try window.press("create", ["written": "true", "roots": "true"], secrets: secrets)
    }
}
