import Navigator

@testable import Screens
@testable import SignerCore

/// What is done with key sets and with the vault itself beside the usual: names, words by choice, keys of other
/// wallets, and what protects the vault.
extension Tour {
    func keepVault() throws -> [Page] { try setUpOtherwise() + protect() + chooseWords() + rename() }

    private static let pins = ["other-pin": Window.credential, "other-pin-again": Window.credential]

    /// The recovery code that a page shows, without blanks.
    private func code(in window: Window) throws -> String {
        try Tour.found(NewSeed.words(of: window.page)).filter { $0 != " " }
    }

    /// Confirms what was asked for, and opens the vault again.
    private func confirm(in window: Window, with credential: String = Window.credential) throws {
        try window.press("confirm-protection", secrets: ["credential": credential])
        try Tour.check(window.page.position == Position(.unlock), "\(window.page.position)")
    }

    private func goToProtection(in window: Window, with credential: String = Window.credential) throws {
        try window.press("unlock", secrets: ["credential": credential])
        if window.page.sheet != nil { try window.press("close") }
        try window.press("Settings")
        try window.press("protection")
    }

    // MARK: Set-up

    private func setUpOtherwise() throws -> [Page] {
        let window = try Window(names, isOnboarded: false)
        try window.press("protect-tpm", ["registers": "7"], secrets: Self.pins)
        try window.press("dismiss")
        try window.press("protect-none")
        try Tour.check(window.page.sheet?.body.contains { $0.isDanger } == true)
        try window.press("close")
        try window.press("protect-pin", ["with-recovery": "true", "minutes": "10"], secrets: Self.pins)
        let code = try code(in: window)
        try Tour.check(code.count == 26, "\(code.count)")
        try window.press("repeat", secrets: ["code-again": code])
        try Tour.check(window.refusal != nil && window.page.position.modal == .recoveryCode)
        try window.press("repeat", ["written": "true"], secrets: ["code-again": "0000"])
        try window.press("dismiss")
        try window.press("repeat", ["written": "true"], secrets: ["code-again": code])
        try window.press("confirm-protection")
        try Tour.check(window.page.position == Position(.seedSelector, modal: .newSeedMenu))
        try window.press("close")
        try window.press("Settings")
        try window.press("protection")
        try Tour.check(window.page.plain.contains("recovery code") && window.page.plain.contains("10 minutes"))
        return window.seen
    }

    // MARK: Afterwards

    private func protect() throws -> [Page] {
        let window = try Window(names, hasMetadata: false)
        try window.press("close")
        try window.press("Settings")
        try window.press("protection")
        try window.press("rotate")
        try window.press("confirm-protection")
        try Tour.check(window.page.position == Position(.protection))
        try window.press("protect-pin", secrets: Self.pins)
        try confirm(in: window)
        try goToProtection(in: window)
        try window.press("change-autolock", ["minutes": "0"])
        try window.press("confirm-protection", secrets: ["credential": "wrong"])
        try window.press("dismiss")
        try confirm(in: window)
        try goToProtection(in: window)
        try window.press("new-code")
        try window.press("repeat", ["written": "true"], secrets: ["code-again": code(in: window)])
        try confirm(in: window)
        try goToProtection(in: window)
        let other = "another long one"
        try window.press("change-pin", secrets: ["new-pin": other, "new-pin-again": "not the same"])
        try Tour.check(window.refusal != nil)
        try window.press("change-pin", secrets: ["new-pin": other, "new-pin-again": other])
        try confirm(in: window)
        try goToProtection(in: window, with: other)
        try window.press("rekey", secrets: ["key-pin": Window.credential, "key-pin-again": Window.credential])
        try window.press("repeat", ["written": "true"], secrets: ["code-again": code(in: window)])
        try confirm(in: window, with: other)
        try goToProtection(in: window)
        try window.setDetector(.connected)
        try window.press("protect-none")
        try window.press("dismiss")
        try window.setDetector(.safe)
        try window.press("protect-none")
        try window.press("confirm-protection", secrets: ["credential": Window.credential])
        try Tour.check(window.page.position == Position(.protection) && !window.pages.asksPerson)
        try window.press("back")
        return window.seen
    }

    // MARK: Key sets

    private func chooseWords() throws -> [Page] {
        let window = try Window(names, hasMetadata: false)
        try window.press("new-seed")
        try window.press("make-words", ["name": names.fresh, "words": "13"])
        try window.press("dismiss")
        try window.press("make-dice", ["name": names.fresh, "words": "12"], secrets: ["throws": "1 2 7"])
        try window.press("dismiss")
        let throwing = String(repeating: "1234566", count: 8)
        try window.press("make-dice", ["name": names.fresh, "words": "12"], secrets: ["throws": throwing])
        try Tour.check(window.page.plain.contains("56 throws of dice were mixed in: 144 bits if they are fair."))
        try Tour.check(NewSeed.words(of: window.page)?.split(separator: " ").count == 12)
        try NewSeed.store(in: window)
        try Tour.check(window.page.position == Position(.keys))
        return window.seen
    }

    private func rename() throws -> [Page] {
        let window = try Window(names, hasMetadata: false)
        try window.press("recover-seed")
        try window.press("go", ["name": names.keySet])
        for word in Window.phrase.split(separator: " ") { try window.type(" \(word) ") }
        try window.press("preview")
        try window.press("back")
        try Tour.check(window.page.position == Position(.recoverSeedPhrase))
        try window.press("store", ["roots": "true"])
        try window.press("menu")
        try window.press("preview")
        try window.press("look", ["paths": "polkadot"], secrets: ["wallet-password": ""])
        try window.press("dismiss")
        try window.press(
            "look", ["paths": names.path + " m/44'/60'/0'/0/7", "network": names.network, "accounts": "5"],
            secrets: ["wallet-password": Tour.password])
        try Tour.check(window.page.plain.contains("beyond ASCII"))
        try window.press("back")
        try window.press("menu")
        try window.press("rename")
        try window.press("rename", ["new-name": names.keySet])
        try window.press("dismiss")
        try window.press("rename", ["new-name": names.again])
        try Tour.check(window.page.position == Position(.seedSelector))
        try Tour.check(window.page.side.map(\.id) == ["side-set-\(names.again)"])
        return window.seen
    }
}

extension Block {
    fileprivate var isDanger: Bool { if case .card(.danger, _, _) = self { true } else { false } }
}
