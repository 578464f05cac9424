import Navigator
import NetworkDetector
import Signer
import Testing
import Tours

@testable import Screens
@testable import SignerCore

/// Secrets are on pages only as locked memory.
@Suite("Secrets on pages")
struct SecretPagesTests {
    /// Everything that reflection finds in a value.
    private func reflected(_ value: Any, depth: Int = 0) -> String {
        guard depth < 24 else { return "" }
        return "\(value)" + Mirror(reflecting: value).children.map { reflected($0.value, depth: depth + 1) }.joined()
    }

    @Test("no description and no reflection of a page tells a word, a passphrase, a share or an exported secret")
    func reflection() throws {
        let window = try Window(hasMetadata: false)
        try window.press("new-seed")
        try window.press("go", ["name": "Portia"])
        let words = try #require(NewSeed.words(of: window.page))
        let newSeed = window.page
        try NewSeed.store(in: window)
        try window.press("menu")
        try window.press("split")
        try window.press("split", ["total": "2", "required": "2"])
        let share = window.page
        try window.press("next")
        try window.press("passphrase")
        let passphrase = window.page
        let secret = try #require(NewSeed.words(of: passphrase))
        for page in [newSeed, share, passphrase] {
            let text = reflected(page)
            for word in [words, secret] { #expect(!text.contains(word)) }
            for pair in zip(words.split(separator: " "), words.split(separator: " ").dropFirst()) {
                #expect(!text.contains("\(pair.0) \(pair.1)"))
            }
            #expect(!text.contains("{\"v\":1"))
        }
        #expect(share.activeBlocks.contains { if case .code(let picture) = $0 { picture.isSecret } else { false } })
    }

    @Test("a code has the colour of danger where it gives a key away, and nowhere else")
    func colour() throws {
        var count = 0
        for page in try Tour.pages() {
            for case .code(let picture) in page.allBlocks {
                let isExport = page.position.modal == .exportSecret && page.sheet != nil
                // The page below the sheet shows the code of the key's address.
                #expect(picture.givesKey == (isExport && picture.isSecret), "\(page.title.plain)")
                if picture.givesKey { count += 1 }
            }
        }
        #expect(count > 0)
    }

    @Test("a page that is made anew with the same secrets is the same page, and with others it is another")
    func anew() throws {
        func isSame(_ window: Window) throws -> Bool {
            window.pages.page(of: try window.core.hostChanged()) == window.page
        }
        let window = try Window(hasMetadata: false)
        try window.press("new-seed")
        try window.press("go", ["name": "Portia"])
        #expect(window.page.position.modal == .newSeedBackup)
        #expect(try isSame(window))
        let other = try Window(hasMetadata: false)
        try other.press("new-seed")
        #expect(try other.press("go", ["name": "Portia"]) != window.page)
        try NewSeed.store(in: window)
        try window.press("menu")
        try window.press("split")
        let first = try window.press("split", ["total": "2", "required": "2"])
        #expect(try isSame(window))
        #expect(try window.press("next") != first)
        #expect(try window.press("previous").activeBlocks.first == first.activeBlocks.first)
        let recovery = try Window(hasMetadata: false)
        try recovery.press("recover-seed")
        try recovery.press("go", ["name": "Alice"])
        try recovery.type(" bott")
        #expect(try isSame(recovery))
        let setUp = try Window(isOnboarded: false)
        let twice = ["other-pin": Window.credential, "other-pin-again": Window.credential]
        try setUp.press("protect-pin", ["with-recovery": "true", "minutes": "10"], secrets: twice)
        #expect(setUp.page.position.modal == .recoveryCode)
        #expect(try isSame(setUp))
    }

    @Test("words of a recovery that are typed are choices and words in locked memory, not text")
    func recovery() throws {
        let window = try Window(hasMetadata: false)
        try window.press("recover-seed")
        try window.press("go", ["name": "Alice"])
        try window.type(" bott")
        #expect(!reflected(window.page).contains("bottom"))
        try window.choose(0)
        let page = window.page
        #expect(page.plain.contains("1 word of Alice so far.") && !reflected(page).contains("bottom"))
        #expect(NewSeed.words(of: page) == "bottom")
        #expect(page.bar.first?.obstacle == "The words are not yet a recovery phrase.")
        try window.type("")
        #expect(window.page.plain.contains("0 words of Alice so far."))
    }

    @Test("three words are asked for, one of each third, the same for the same name, and stored only when all fit")
    func quiz() throws {
        let places = QuizPlaces.of(name: "Portia", wordCount: 24)
        #expect(places == QuizPlaces.of(name: "Portia", wordCount: 24))
        #expect(zip(places, [1...8, 9...16, 17...24]).allSatisfy { $1.contains($0) })
        let others = Set((0..<64).map { QuizPlaces.of(name: "seed \($0)", wordCount: 24) })
        #expect(others.count > 32)
        let window = try Window(hasMetadata: false)
        try window.press("new-seed")
        try window.press("go", ["name": "Portia"])
        let sheet = try #require(window.page.sheet)
        #expect(sheet.bar.map(\.id) == ["create"])
        guard case .core(let calls)? = sheet.bar.first?.message, let call = calls.first else {
            throw CoreError.notPending
        }
        #expect(call.needs.count == 4 && call.needs.first?.condition == .isOn("written"))
        for case .words(let words) in sheet.body { #expect(words.isNumbered && words.hiddenBy == "written") }
        try NewSeed.store(in: window)
        #expect(try window.core.seedNames() == ["Portia"])
    }

    @Test("a secret that is typed is never left out: what does not take it says which button does")
    func leftOut() throws {
        let window = try Window(hasMetadata: false)
        try window.press("new-seed")
        let thrown = ["throws": String(repeating: "1234566", count: 8)]
        for control in ["go", "make-words"] {
            try window.press(control, ["name": "Portia", "words": "12"], secrets: thrown)
            #expect(window.refusal?.plain.contains("Press the button for dice or for coins") == true)
            #expect(window.page.position == Position(.newSeed))
        }
        try window.press("make-dice", ["name": "Portia", "words": "12"], secrets: thrown)
        #expect(window.page.plain.contains("56 throws of dice were mixed in"))
        try NewSeed.store(in: window)
        try window.press("new-key")
        try window.press("make", ["path": "//a"], secrets: ["new-password": "hidden"])
        #expect(window.refusal?.plain.contains("Go on with this password") == true)
        #expect(window.page.position == Position(.deriveKey))
        let setUp = try Window(isOnboarded: false)
        let twice = ["credential": Window.credential, "credential-again": Window.credential]
        try setUp.press("begin", secrets: twice)
        try setUp.press("close")
        try setUp.press("Settings")
        try setUp.press("protection")
        try setUp.press("rotate", secrets: ["key-pin": "another long one"])
        #expect(setUp.refusal?.plain.contains("Make all keys anew") == true && setUp.page.sheet == nil)
    }

    @Test("what is chosen for one way to protect the vault is not dropped by the button of another")
    func chosen() throws {
        let twice = ["credential": Window.credential, "credential-again": Window.credential]
        let other = ["other-pin": Window.credential, "other-pin-again": Window.credential]
        let setUp = try Window(isOnboarded: false)
        for (control, values, secrets, named) in [
            ("begin", ["with-recovery": "true"], twice, "A new recovery code"),
            ("begin", ["minutes": "10"], twice, "Locks after so many minutes"),
            ("begin", ["registers": "7"], twice, "Registers of the TPM"),
            ("begin", [:], twice.merging(other) { $1 }, "New PIN or passphrase"),
            ("protect-pin", ["hard-limit": "true"], other, "For ever after 10 wrong PINs"),
            ("protect-none", [:], other, "New PIN or passphrase"),
            ("protect-none", [:], twice, "New PIN or passphrase"),
            ("protect-none", ["with-recovery": "true"], [:], "A new recovery code"),
        ] {
            try setUp.press(control, values, secrets: secrets)
            let refusal = setUp.refusal?.plain ?? ""
            #expect(refusal.contains("\"\(named)\" was chosen"), "\(control) \(values): \(refusal)")
            #expect(setUp.page.position == Position(.airgapCheck))
        }
        try setUp.press("begin", secrets: twice)
        try setUp.press("close")
        try setUp.press("Settings")
        try setUp.press("protection")
        try setUp.press("protect-none", secrets: other)
        #expect(setUp.refusal?.plain.contains("was chosen") == true && setUp.page.sheet == nil)
    }

    @Test(
        "a path with a password in it, or with an end that would begin one, is not sent",
        arguments: ["//a///x", "//a///", "//a/", "///", "/", "//a///\u{301}x", "//a\u{600}/"])
    func pathWithPassword(_ path: String) throws {
        let window = try Window(hasMetadata: false)
        try window.recoverAlice()
        try window.press("new-key")
        for (control, secrets) in [("make", [:]), ("make-with-password", ["new-password": "hidden"])] {
            try window.press(control, ["path": path], secrets: secrets)
            #expect(window.refusal?.plain.contains("With a password") == true)
            #expect(window.page.position == Position(.deriveKey))
        }
    }

    @Test("what is secret leaves the page when the machine is connected, and the shield says so in words")
    func connected() throws {
        let window = try Window(hasMetadata: false)
        try window.press("new-seed")
        try window.press("go", ["name": "Portia"])
        try window.setDetector(.connected)
        #expect(window.page.sheet == nil && window.page.shield.look == .connected)
        #expect(window.page.shield.text == "ONLINE")
        let alert = try #require(try window.press("shield").alert)
        #expect(alert.body.flatMap(\.rows).contains { $0.title == "Making a seed" })
        #expect(alert.bar.map(\.id) == ["dismiss"])
        try window.press("dismiss")
        try window.setDetector(.wasOnline)
        #expect(try window.press("shield").alert?.bar.map(\.id) == ["dismiss", "acknowledge"])
        try window.press("acknowledge")
        #expect(window.page.shield.look == .safe && window.page.shield.text == "Air gap ok")
    }

    @Test("while no vault is open the shield offers nothing to acknowledge, and says what comes first")
    func lockedShield() throws {
        let detector = DetectorView(state: .wasOnline)
        let pages = Pages(vault: "test")
        let locked = pages.shieldAlert(ShieldData(detector, isVaultOpen: false))
        #expect(locked.bar.map(\.id) == ["dismiss"])
        #expect(locked.body.contains(.text("Think of what may have come in. Unlock the vault, then acknowledge it.")))
        #expect(locked.body.flatMap(\.rows).isEmpty)
        #expect(pages.shieldAlert(ShieldData(detector)).bar.map(\.id) == ["dismiss", "acknowledge"])
    }

    @Test("the set-up cannot go on while the machine is connected, and says why")
    func obstacle() throws {
        let window = try Window(isOnboarded: false)
        try window.setDetector(.connected)
        #expect(window.page.bar.first?.obstacle == "This machine is not cut off from networks.")
        #expect(window.page.plain.contains("Other programs can see this window"))
        try window.setDetector(.safe)
        #expect(window.page.bar.first?.obstacle == nil)
    }

    @Test("key sets stand at the side until the vault is locked")
    func side() throws {
        let window = try Window(isOnboarded: false)
        let twice = ["credential": Window.credential, "credential-again": Window.credential]
        try window.press("begin", secrets: twice)
        try window.recoverAlice()
        try window.press("Keys")
        try window.press("Settings")
        #expect(window.page.side.map(\.id) == ["side-set-Alice"])
        try window.press("side-set-Alice")
        #expect(window.page.title == "Alice")
        try window.press("Settings")
        #expect(try window.press("lock").side.isEmpty)
    }
}
