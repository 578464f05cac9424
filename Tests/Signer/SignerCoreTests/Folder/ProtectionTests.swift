import MainKey
import Navigator
import SecretMemory
import Signer
import Testing

@testable import SignerCore

/// What protects a vault in a folder is changed by pages.
@Suite("What protects a vault in a folder")
struct ProtectionTests {
    private static let other = "Kiefer-7702"

    /// The recovery code that a page shows.
    private func code(_ page: ActionResult) throws -> String {
        guard case .recoveryCode(let data)? = page.modal else { throw CoreError.notPending }
        return data.code.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func protection(_ page: ActionResult) throws -> ProtectionData {
        guard case .protection(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    /// An open vault, at the page about its protection.
    private func opened(_ test: TestFolder, _ pin: String = TestFolder.pin) throws -> LivingCore {
        test.network.beginAnew()
        let living = try test.core()
        try living.act(.start)
        try living.act(.goForward, secret: pin)
        try living.act(.goBack)
        try living.act(.navbarSettings)
        #expect(try living.act(.viewProtection).position == Position(.protection))
        return living
    }

    /// Whether a program of its own opens the vault by what is typed.
    private func opens(
        _ test: TestFolder, _ typed: String, isCode: Bool = false
    ) throws -> Bool {
        let living = try test.core { $0.takesRecoveryCode = isCode }
        defer { living.core.close() }
        try living.act(.start)
        return try living.act(.goForward, secret: typed).position.screen == .seedSelector
    }

    @Test("another PIN opens it from then on, once that of now was shown, and the one of before does not")
    func changedPIN() throws {
        let test = try TestFolder()
        let living = try opened(test)
        let weak = try living.act(.changeProtection, #"{"change":["pin"]}"#, secret: "123456")
        #expect(weak.errorCode == "CredentialTooWeak" && weak.position.modal == nil)
        try living.act(.goBack)
        let asked = try living.act(.changeProtection, #"{"change":["pin"]}"#, secret: Self.other)
        #expect(asked.rule == "T415" && asked.position.modal == .confirmProtection)
        #expect(try living.act(.goForward).errorCode == "NotAuthenticated")
        try living.act(.goBack)
        #expect(try living.act(.goForward, secret: Self.other).errorCode == "WrongCredential")
        try living.act(.goBack)
        let changed = try living.act(.goForward, secret: TestFolder.pin)
        #expect(changed.rule == "T426" && changed.position == Position(.unlock))
        living.core.close()
        #expect(try !opens(test, TestFolder.pin))
        #expect(try opens(test, Self.other))
    }

    @Test("a recovery code opens it once it was typed back from paper, and not one that was thrown away")
    func recovery() throws {
        let test = try TestFolder()
        let living = try opened(test)
        let thrown = try code(living.act(.changeProtection, #"{"change":["recovery"]}"#))
        #expect(try living.act(.goBack).modal == nil)
        let shown = try living.act(.changeProtection, #"{"change":["recovery"]}"#)
        let kept = try code(shown)
        #expect(kept != thrown && kept.split(separator: " ").count == 7)
        #expect(try !TestCore.json(shown, revealing: false).contains(kept))
        #expect(try living.act(.goForward, secret: thrown).errorCode == "RecoveryCodeMismatch")
        try living.act(.goBack)
        #expect(try living.act(.goForward, secret: kept.lowercased()).rule == "T422")
        #expect(try living.act(.goForward, secret: TestFolder.pin).position == Position(.unlock))
        living.core.close()
        #expect(try !opens(test, thrown, isCode: true))
        #expect(try opens(test, kept, isCode: true))
        #expect(try opens(test, TestFolder.pin))
    }

    @Test("a recovery code leaves the screen when the machine is connected, and nothing is changed")
    func connected() throws {
        let test = try TestFolder()
        let living = try opened(test)
        _ = try code(living.act(.changeProtection, #"{"change":["recovery"]}"#))
        test.network.set(isUp: true)
        #expect(try living.core.hostChanged().position.modal == nil)
        #expect(try living.act(.changeProtection, #"{"change":["rotate"]}"#).position.alert == .shield)
        try living.act(.goBack)
        #expect(try protection(living.act(.nothing)).ways == ["pin"])
    }

    @Test("it locks after another time")
    func autolock() throws {
        let test = try TestFolder()
        let living = try opened(test)
        #expect(
            try living.act(.changeProtection, #"{"change":["autolock"],"autolock":"10081"}"#).errorCode
                == "ProtectionMalformed")
        try living.act(.goBack)
        try living.act(.changeProtection, #"{"change":["autolock"],"autolock":"42"}"#)
        try living.act(.goForward, secret: TestFolder.pin)
        living.core.close()
        let again = try opened(test)
        #expect(try protection(again.act(.nothing)).autolock == 42)
    }

    @Test("one that locks with each wait stays open from one action to the next, and for a command it does not")
    func always() throws {
        let test = try TestFolder()
        let living = try opened(test)
        try living.act(.changeProtection, #"{"change":["autolock"],"autolock":"0"}"#)
        try living.act(.goForward, secret: TestFolder.pin)
        living.core.close()
        test.network.beginAnew()
        let again = try test.core()
        try again.act(.start)
        again.host.whileWaiting {}
        #expect(try again.act(.goForward, secret: TestFolder.pin).position.screen == .seedSelector)
        again.host.whileWaiting {}
        #expect(try again.act(.nothing).position.screen == .seedSelector)
        #expect(try again.act(.lock).position == Position(.unlock))
        let vault = try test.vault()
        try vault.key?.confirm()
        vault.whileWaiting {}
        #expect(!vault.isUnlocked)
    }

    @Test("everything is sealed anew under a new key, and under a new PIN and a new code, and is what it was")
    func rotated() throws {
        let test = try TestFolder()
        let living = try test.core()
        try living.recoverAlice()
        living.core.close()
        let first = try opened(test)
        try first.act(.changeProtection, #"{"change":["recovery"]}"#)
        let old = try code(first.act(.nothing))
        try first.act(.goForward, secret: old)
        try first.act(.goForward, secret: TestFolder.pin)
        first.core.close()

        let second = try opened(test)
        let before = try protection(second.act(.nothing)).epoch
        try second.act(.changeProtection, #"{"change":["rotate"]}"#)
        #expect(try second.act(.goForward, secret: TestFolder.pin).rule == "T426")
        second.core.close()

        let third = try opened(test)
        #expect(try protection(third.act(.nothing)).epoch == before + 1)
        let shown = try third.act(.changeProtection, #"{"change":["rekey"]}"#, secret: Self.other)
        #expect(shown.rule == "T414")
        let new = try code(shown)
        try third.act(.goForward, secret: new)
        #expect(try third.act(.goForward, secret: TestFolder.pin).rule == "T426")
        third.core.close()
        for (typed, isCode) in [(TestFolder.pin, false), (old, true)] {
            #expect(try !opens(test, typed, isCode: isCode))
        }
        #expect(try opens(test, new, isCode: true))
        let last = try opened(test, Self.other)
        #expect(try last.core.seedNames() == ["Alice"])
    }

    @Test(
        "what ends the recovery code of before says so before it is confirmed, and nothing else does",
        arguments: [
            (#""change":["protection"],"protection":["pin"],"with":["no-recovery"]"#, true),
            (#""change":["protection"],"protection":["pin"],"with":["recovery"]"#, true),
            (#""change":["protection"],"protection":["none"]"#, true), (#""change":["recovery"]"#, true),
            (#""change":["protection"],"protection":["pin"]"#, false), (#""change":["pin"]"#, false),
        ])
    func endsRecovery(wish: String, ends: Bool) throws {
        for hadCode in [true, false] {
            let test = try TestFolder(hadCode ? [.recovery(RecoveryCode.generate())] : [])
            let living = try opened(test)
            var asked = try living.act(.changeProtection, "{\(wish)}", secret: Self.other)
            if asked.position.modal == .recoveryCode { asked = try living.act(.goForward, secret: code(asked)) }
            guard case .confirmProtection(let data)? = asked.modal else { throw CoreError.notPending }
            let saysSo = data.what.contains("The recovery code of before opens it no more")
            #expect(saysSo == (ends && hadCode), "\(data.what)")
        }
    }

    @Test("with nothing to protect it, it opens by itself, and a recovery code of before opens nothing")
    func open() throws {
        let test = try TestFolder([.recovery(RecoveryCode.generate())])
        let living = try opened(test)
        let asked = try living.act(.changeProtection, #"{"change":["protection"],"protection":["none"]}"#)
        guard case .confirmProtection(let data)? = asked.modal else { throw CoreError.notPending }
        #expect(data.isOpen && data.asksPerson && data.limits?.contains("Nothing protects the key") == true)
        let changed = try living.act(.goForward, secret: TestFolder.pin)
        #expect(changed.rule == "T427" && changed.position == Position(.protection))
        #expect(try protection(changed).ways == ["none"])
        living.core.close()
        #expect(try test.core().act(.start).position.screen == .seedSelector)
    }

    @Test("one that opens by itself is open again behind each change, and what it lets pass still counts")
    func openAgain() throws {
        let test = try TestFolder(allowing: NetworkAllowance(allowsNetwork: true))
        let living = try opened(test)
        try living.act(.changeProtection, #"{"change":["protection"],"protection":["none"]}"#)
        #expect(try living.act(.goForward, secret: TestFolder.pin).rule == "T427")
        test.network.set(isUp: true)
        for wish in [#"{"change":["autolock"],"autolock":"20"}"#, #"{"change":["rotate"]}"#] {
            let asked = try living.act(.changeProtection, wish)
            #expect(asked.rule == "T415" && asked.detector.isAllowed, "\(wish)")
            #expect(try living.act(.goForward).rule == "T427", "\(wish)")
        }
        #expect(try living.host.openVault()?.isUnlocked == true)
        #expect(try protection(living.act(.nothing)).autolock == 20)
    }

    @Test("it is set up with a recovery code and a time of its own once the code was typed back, and not before")
    func setUp() throws {
        let test = try TestFolder(isSetUp: false)
        let living = try test.core()
        try living.act(.start)
        let wish = #"{"change":["set-up"],"protection":["pin"],"autolock":"7","with":["recovery"]}"#
        let shown = try living.act(.changeProtection, wish, secret: Self.other)
        #expect(shown.rule == "T418")
        let code = try code(shown)
        #expect(!Vault.exists(in: test.folder))
        #expect(try living.act(.goForward, secret: code).position.modal == .confirmProtection)
        #expect(!Vault.exists(in: test.folder))
        #expect(try living.act(.goForward).rule == "T425")
        living.core.close()
        #expect(try opens(test, code, isCode: true))
        let again = try opened(test, Self.other)
        #expect(try protection(again.act(.nothing)).autolock == 7)
    }

    @Test(
        "what is no change is refused, and changes nothing",
        arguments: [
            "", "{}", #"{"change":[]}"#, #"{"change":["set-up"],"protection":["pin"]}"#, #"{"change":["all"]}"#,
            #"{"change":["pin"]}"#, #"{"change":["protection"]}"#, #"{"change":["protection"],"protection":["door"]}"#,
            #"{"change":["protection"],"protection":["tpm-pin"],"registers":"16"}"#,
            #"{"change":["protection"],"protection":["tpm-pin"],"registers":"7"}"#,
            #"{"change":["autolock"],"autolock":"x"}"#,
        ])
    func malformed(wish: String) throws {
        let test = try TestFolder()
        let living = try opened(test)
        let refused = try living.act(.changeProtection, wish)
        #expect(refused.errorCode == "ProtectionMalformed" && refused.position == Position(.protection, alert: .error))
        #expect(try protection(living.act(.goBack)).ways == ["pin"])
    }
}
