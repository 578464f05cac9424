import Foundation
import HardwareKeys
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import MainKey

@Suite("A vault bound to a TPM", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct HardwareVaultTests {
    @Test(
        "it opens with its PIN, not with another, and with the recovery code",
        arguments: [HardwareBinding.lockout, .counter, .hardLimit])
    func opens(binding: HardwareBinding) throws {
        let bound = try BoundVault(binding)
        #expect(bound.unlock("not the PIN") == "wrongCredential")
        let vault = try bound.opened()
        #expect(try vault.token("t")?.testBytes == Array("token".utf8))
        #expect(try vault.status().ways.first?.binding == binding)
        try bound.open().unlock(.recovery(bound.recovery))
        #expect(code { try bound.open().unlock(.pin(VaultFolder.pin())) } == "noSuchSlot")
    }

    @Test("the hardware's limit holds for ever, also where the attempt file is put back; the recovery code opens")
    func hardLimit() throws {
        let bound = try BoundVault(.hardLimit) { $0.attemptLimit = 3 }
        let attempts = try bound.folder.files()["attempts.mk"]
        func forget() throws {
            try bound.folder.restore(try bound.folder.files().merging(["attempts.mk": #require(attempts)]) { $1 })
        }
        for _ in 0..<3 {
            #expect(bound.unlock("not the PIN") == "wrongCredential")
            try forget()
        }
        #expect(throws: MainKeyError.attemptsExhausted(byHardware: true)) { try bound.opened() }
        try forget()
        #expect(throws: MainKeyError.attemptsExhausted(byHardware: true)) { try bound.opened() }
        let vault = try bound.open()
        try vault.unlock(.recovery(bound.recovery))
        // A new PIN makes the hardware's way usable again.
        let kept = try vault.status().ways.filter { $0.kind == "recovery" }.map(\.id)
        try vault.setProtections(
            keeping: Set(kept), adding: [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), .hardLimit)],
            authenticatedBy: .recovery(bound.recovery), VaultFolder.options)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(try bound.indices().count == 2)
    }

    @Test("yesterday's state is refused after a change of the PIN", arguments: [HardwareBinding.counter, .hardLimit])
    func rollback(binding: HardwareBinding) throws {
        let bound = try BoundVault(binding)
        let yesterday = try bound.folder.files()
        try bound.opened().changePIN(
            from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(bound.unlock() == "wrongCredential")
        let today = try bound.folder.files()
        try bound.folder.restore(yesterday)
        #expect(["rolledBack", "hardwareDead"].contains(bound.unlock()))
        #expect(code { try bound.open().unlock(.recovery(bound.recovery)) } == "rolledBack")
        try bound.folder.restore(today)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(try bound.indices().count == (binding == .hardLimit ? 2 : 1))
    }

    @Test("with a strict anchor every change moves the counter")
    func strict() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        let before = try vault.status().anchorValue
        let yesterday = try bound.folder.files()
        try vault.setAutolock(.minutes(5))
        try vault.setAutolock(.minutes(6))
        #expect(try vault.status().anchorValue == before.map { $0 + 2 })
        #expect(bound.unlock() == "ok")
        let today = try bound.folder.files()
        try bound.folder.restore(yesterday)
        #expect(bound.unlock() == "rolledBack")
        try bound.folder.restore(today)
        let recovered = try bound.open()
        try recovered.unlock(.recovery(bound.recovery))
        #expect(code { try recovered.setAutolock(.minutes(7)) } == "hardwareUnavailable")
    }

    @Test("another TPM, or none, opens nothing; the recovery code still does")
    func otherHardware() throws {
        let bound = try BoundVault(.counter)
        let other = try SoftwareTPM()
        var options = OpenOptions()
        options.tpm = try TPMAddress(tcti: other.tcti)
        options.allowsSoftwareTPM = true
        let vault = try Unwatched.open(at: bound.folder.path, options)
        let error = #expect(throws: MainKeyError.self) { try vault.unlock(.hardwareAndPIN(VaultFolder.pin())) }
        #expect(error?.code == "hardwareUnavailable")
        #expect(error?.description.hasSuffix("or this one was cleared. Use the recovery code.") == true)
        try vault.unlock(.recovery(bound.recovery))
        bound.tpm.stop()
        #expect(bound.unlock() == "hardwareUnavailable")
        try bound.open().unlock(.recovery(bound.recovery))
    }

    @Test("a TPM that is a program protects a vault only if somebody says that it is meant; the vault then says so")
    func softwareTPM() throws {
        let tpm = try SoftwareTPM()
        let folder = try VaultFolder()
        var options = OpenOptions()
        options.tpm = try TPMAddress(tcti: tpm.tcti)
        let pin = try VaultFolder.pin()
        let code = try RecoveryCode.generate()
        let protections: [Protection] = [.hardwareAndPIN(pin, .hardLimit), .recovery(code)]
        let error = #expect(throws: MainKeyError.self) {
            _ = try Unwatched.create(at: folder.path, protections, VaultFolder.options, options)
        }
        #expect(error?.code == "configError" && error?.situation == .softwareTPM)
        let address = try #require(options.tpm)
        #expect(try TPM(at: address).definedIndices().isEmpty)
        var allowing = options
        allowing.allowsSoftwareTPM = true
        let vault = try Unwatched.create(at: folder.path, protections, VaultFolder.options, allowing)
        #expect(try vault.status().hasSoftwareTPM)
        let again = try Unwatched.open(at: folder.path, options)
        try again.unlock(.hardwareAndPIN(pin))
        try again.setProtections(
            keeping: [], adding: [.pin(pin)], authenticatedBy: .hardwareAndPIN(pin), VaultFolder.options)
        #expect(try !again.status().hasSoftwareTPM)
        #expect(
            MainKeyTests.code {
                try again.setProtections(
                    keeping: [], adding: protections, authenticatedBy: .pin(pin), VaultFolder.options)
            } == "configError")
    }

    @Test("the attempts that are left are those that the hardware counts, also where the attempt file is put back")
    func countedByHardware() throws {
        let bound = try BoundVault(.hardLimit) { $0.attemptLimit = 5 }
        let file = URL(filePath: bound.folder.path + "/attempts.mk")
        let fresh = try Data(contentsOf: file)
        for left in [4, 3] {
            try fresh.write(to: file)
            let vault = try bound.open()
            #expect(throws: MainKeyError.wrongCredential(attemptsLeft: left)) {
                try vault.unlock(.hardwareAndPIN(VaultFolder.pin("not the PIN")))
            }
        }
        try fresh.write(to: file)
        let status = try Unwatched.look(at: bound.folder.path, bound.options).status(asksHardware: true)
        #expect(status.attemptsLeft == 3 && status.failedAttempts == 2 && status.isCountedByHardware)
        #expect(bound.unlock() == "ok")
        #expect(try bound.open().status(asksHardware: true).attemptsLeft == 5)
    }

    @Test("a limit that the hardware does not keep is told")
    func raisedLimit() throws {
        let bound = try BoundVault(.hardLimit) { $0.attemptLimit = 5 }
        #expect(try !bound.open().status(asksHardware: true).isHardwareLimitRaised)
        let (counter, pin) = (try #require(try bound.indices().first), try #require(try bound.indices().last))
        let tpm = try TPM(at: TPMAddress(tcti: bound.tpm.tcti))
        try tpm.undefine(pin)
        #expect(try tpm.definePINIndex(auth: SecretBytes(test: "somebody's"), limit: 500, beside: counter) == pin)
        let status = try bound.open().status(asksHardware: true)
        #expect(status.isHardwareLimitRaised && status.attemptsLeft == 5)
    }

    @Test("a wiped vault leaves nothing in the TPM, and no copy of it opens")
    func wipe() throws {
        let bound = try BoundVault(.hardLimit)
        let yesterday = try bound.folder.files()
        try bound.opened().wipe()
        #expect(try bound.indices().isEmpty)
        #expect(code { _ = try bound.open() } == "notFound")
        try bound.folder.restore(yesterday)
        #expect(bound.unlock() == "hardwareDead")
    }

    @Test("at the hardware's limit a vault is wiped that was made to be, and nothing names a recovery code then")
    func wipedAtLimit() throws {
        let bound = try BoundVault(.hardLimit) {
            $0.attemptLimit = 2
            $0.wipesOnLimit = true
        }
        #expect(bound.unlock("not the PIN") == "wrongCredential")
        let error = #expect(throws: MainKeyError.self) { try bound.opened("not the PIN") }
        let text = error.map { "\($0)" } ?? "none"
        #expect(text.contains("it was wiped") && !text.contains("recovery"), "\(text)")
        #expect(code { _ = try bound.open() } == "notFound")
        #expect(try bound.indices().isEmpty)
    }

    @Test("a change of protection frees the TPM, and a failed one leaves it as it was")
    func freed() throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        #expect(try bound.indices().count == 2)
        #expect(
            code {
                try vault.setProtections(
                    keeping: [], adding: [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), .hardLimit)],
                    authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), VaultFolder.options)
            } == "configError")
        #expect(try bound.indices().count == 2)
        try vault.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin())], authenticatedBy: .hardwareAndPIN(VaultFolder.pin()),
            VaultFolder.options)
        #expect(try bound.indices().isEmpty)
        #expect(try vault.status().anchor == "none")
        try bound.open().unlock(.pin(VaultFolder.pin()))
    }

    @Test("a new MainKey gets a counter of its own, and the old state dies")
    func rekey() throws {
        let bound = try BoundVault(.counter)
        let yesterday = try bound.folder.files()
        let vault = try bound.opened()
        try vault.rekey(
            [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), .counter), .recovery(bound.recovery)],
            authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), VaultFolder.options)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(try bound.indices().count == 1)
        try bound.folder.restore(yesterday)
        #expect(["rolledBack", "hardwareDead"].contains(bound.unlock()))
    }

    @Test("with a strict anchor the process that made or changed the TPM's slot goes on changing the vault")
    func strictGoesOn() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        var options = OpenOptions()
        options.tpm = bound.options.tpm
        options.allowsSoftwareTPM = true
        let other = try VaultFolder()
        var vaultOptions = VaultFolder.options
        vaultOptions.hasStrictAnchor = true
        vaultOptions.allowsNoRecovery = true
        let vault = try Unwatched.create(
            at: other.path, [.hardwareAndPIN(VaultFolder.pin(), .counter)], vaultOptions, options)
        try vault.setAutolock(.minutes(5))
        try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), vaultOptions)
        try vault.setAutolock(.minutes(6))
        try vault.rekey(
            [.hardwareAndPIN(VaultFolder.pin(), .counter)],
            authenticatedBy: .hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN)), vaultOptions)
        try vault.setAutolock(.minutes(7))
        try Unwatched.open(at: other.path, options).unlock(.hardwareAndPIN(VaultFolder.pin()))
    }

    @Test("with a strict anchor a removed way stays removed when yesterday's state is put back")
    func strictRemoval() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let yesterday = try bound.folder.files()
        let vault = try bound.opened()
        let kept = try vault.status().ways.filter { $0.kind == "tpm+pin" }.map(\.id)
        var options = VaultFolder.options
        options.allowsNoRecovery = true
        try vault.setProtections(
            keeping: Set(kept), adding: [], authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), options)
        #expect(bound.unlock() == "ok")
        try vault.setAutolock(.minutes(5))
        try bound.folder.restore(yesterday)
        #expect(bound.unlock() == "rolledBack")
        #expect(code { try bound.open().unlock(.recovery(bound.recovery)) } == "rolledBack")
    }

    @Test(
        "the file that a process left that died behind the counter's step is what counts, also for one that is unlocked"
    )
    func killedBehindCounter() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        let (keyFile, new) = (bound.folder.path + "/keyring.mk", bound.folder.path + "/keyring.mk.new")
        let before = try Data(contentsOf: URL(filePath: keyFile))
        try bound.opened().setAutolock(.minutes(5))
        try FileManager.default.moveItem(atPath: keyFile, toPath: new)
        try before.write(to: URL(filePath: keyFile))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
        #expect(code { try vault.setAutolock(.minutes(6)) } == "stale")
        #expect(bound.unlock() == "ok")
        #expect(try bound.open().status().autolock == .minutes(5))
        try vault.setAutolock(.minutes(6))
        #expect(bound.unlock() == "ok")
    }

    @Test("while it is not known whether the counter moved, the new file and what was made for it stay")
    func unknownCounter() throws {
        let bound = try BoundVault(.counter)
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        var change = KeyFileChange(file: file, secrets: unlocked.secrets)
        guard case .tpm(let index, _) = file.anchor else { throw MainKeyError.locked }
        change.advancing = index
        change.counterAuthorisation = try unlocked.secrets.counterAuthorisation()
        bound.tpm.stop()
        var isUndone = false
        #expect(
            code { try vault.commits.commit(change, from: file.generation) { isUndone = true } }
                == "hardwareUnavailable")
        #expect(!isUndone)
        #expect(FileManager.default.fileExists(atPath: bound.folder.path + "/keyring.mk.new"))
    }

    @Test(
        "a wipe that was killed frees the TPM at the next opening, by the file that is left", arguments: [false, true])
    func killedWipe(isStaged: Bool) throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.open()
        let key = try #require(bound.options.knownVaults).wipeKey(.creating)
        try WipeMark(vault.status().vaultID, signedWith: key).write(to: vault.store.directory)
        if isStaged {
            try FileManager.default.moveItem(
                atPath: bound.folder.path + "/keyring.mk", toPath: bound.folder.path + "/keyring.mk.new")
        }
        #expect(code { _ = try bound.open() } == "notFound")
        #expect(try bound.indices().isEmpty)
    }

    /// Who comes to a vault whose wipe was killed.
    enum AfterKilledWipe: CaseIterable, Sendable { case opens, creates, hadItOpen }

    @Test(
        "what a wipe leaves in the TPM is told also where another process finishes it",
        arguments: AfterKilledWipe.allCases)
    func toldAfterKilledWipe(_ who: AfterKilledWipe) throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.open()
        let key = try #require(bound.options.knownVaults).wipeKey(.creating)
        try WipeMark(vault.status().vaultID, signedWith: key).write(to: vault.store.directory)
        bound.tpm.stop()
        let told = Mutex<[String]>([])
        MainKeyEvent.observeAll { event in
            guard case .hardwareLeftover(let what) = event else { return }
            told.withLock { $0.append(what) }
        }
        switch who {
        case .opens:
            let refusal = #expect(throws: MainKeyError.self) { _ = try bound.open() }
            // Whoever opens it has no vault whose events could be heard.
            guard case .notFound(let what)? = refusal else { throw MainKeyError.locked }
            #expect(what.contains("0x1804d00") && what.contains("0x1804d01"))
        case .creates:
            let options = VaultFolder.options
            _ = try Unwatched.create(at: bound.folder.path, [.pin(VaultFolder.pin())], options, bound.options)
        case .hadItOpen:
            #expect(code { try vault.unlock(.recovery(bound.recovery)) } == "notFound")
        }
        // Vaults of other tests are heard, too.
        let own = told.withLock { $0 }.filter { $0.contains(bound.tpm.socket.path) }
        #expect(own.count == 2 && own.allSatisfy { $0.contains("0x1804d") })
    }

    @Test("the wipe of a folder from elsewhere leaves the indices of other vaults in the TPM, which it names")
    func foreignFolder() throws {
        let bound = try BoundVault(.hardLimit)
        let foreign = try BoundVault(.hardLimit)
        // Another TPM's blob, with the same first indices: as somebody would guess them.
        var options = foreign.options
        options.tpm = bound.options.tpm
        #expect(try !bound.indices().isEmpty && bound.indices() == foreign.indices())
        let leftovers = try Unwatched.open(at: foreign.folder.path, options).wipe()
        #expect(leftovers.count == 2 && leftovers.allSatisfy { $0.contains("another one answers") })
        #expect(bound.unlock() == "ok")
        let file = try bound.open().status().vaultID
        try WipeMark(file, signedWith: nil).write(to: bound.open().store.directory)
        #expect(try MainKeyVault.finishWipe(at: bound.folder.path, bound.options).isEmpty)
        #expect(try bound.indices().isEmpty)
    }

    @Test(
        "a wipe where another TPM answers tells what stays in the first one, which still opens every copy",
        arguments: [false, true])
    func elsewhere(isBegun: Bool) throws {
        let bound = try BoundVault(.hardLimit)
        let copy = try bound.folder.files()
        let indices = try bound.indices()
        let another = try SoftwareTPM()
        var options = bound.options
        options.tpm = try TPMAddress(tcti: another.tcti)
        let vault = try Unwatched.open(at: bound.folder.path, options)
        if isBegun { try WipeMark(vault.status().vaultID, signedWith: nil).write(to: vault.store.directory) }
        let leftovers = try isBegun ? MainKeyVault.finishWipe(at: bound.folder.path, options) : vault.wipe()
        let storageKey = try TPM(at: TPMAddress(tcti: bound.tpm.tcti)).identity().storageKey
        #expect(leftovers.count == indices.count)
        for index in indices {
            let told = leftovers.filter { $0.contains("0x\(String(index, radix: 16))") }
            #expect(told.count == 1 && told.allSatisfy { $0.contains(TPMIdentity.short(storageKey)) })
        }
        try bound.folder.restore(copy)
        #expect(bound.unlock() == "ok")
        // Where its own TPM is, nothing is left.
        #expect(try bound.open().wipe().isEmpty && bound.indices().isEmpty)
        withExtendedLifetime(another) {}
    }

    @Test("a wipe without its TPM tells what stays in it")
    func leftovers() throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        bound.tpm.stop()
        let leftovers = try vault.wipe()
        #expect(leftovers.count == 2 && leftovers.allSatisfy { $0.contains("0x1804d") })
        #expect(code { _ = try bound.open() } == "notFound")
        let other = try BoundVault(.hardLimit)
        #expect(try other.opened().wipe().isEmpty)
    }
}
