import Foundation
import HardwareKeys
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import MainKey

@Suite("A vault whose TPM answers through somebody else", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct RelayedVaultTests {
    private static let increment: UInt32 = 0x134
    private static let read: UInt32 = 0x14e
    /// TPM_RC_AUTH_FAIL of the first session.
    private static let refusal: UInt32 = 0x98e

    @Sendable private static func refuseIncrement(_ command: [UInt8], _ answer: inout [UInt8]) {
        if TPMRelay.code(command) == increment { answer = TPMRelay.answer(refusal) }
    }

    private func open(_ bound: BoundVault, through relay: TPMRelay) throws -> MainKeyVault {
        var options = bound.options
        options.tpm = try TPMAddress(tcti: relay.tcti)
        let vault = try Unwatched.open(at: bound.folder.path, options)
        try vault.unlock(.hardwareAndPIN(VaultFolder.pin()))
        return vault
    }

    private func changePIN(_ vault: MainKeyVault) throws {
        try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
    }

    private func hasNewFile(_ bound: BoundVault) -> Bool {
        FileManager.default.fileExists(atPath: bound.folder.path + "/keyring.mk.new")
    }

    @Test(
        "an error in place of the answer that the counter moved changes nothing: it moved",
        arguments: [HardwareBinding.counter, .hardLimit])
    func moved(binding: HardwareBinding) throws {
        let bound = try BoundVault(binding)
        let relay = try TPMRelay(before: bound.tpm, onAnswer: Self.refuseIncrement)
        try changePIN(open(bound, through: relay))
        #expect(!hasNewFile(bound))
        #expect(bound.unlock() == "wrongCredential")
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        withExtendedLifetime(relay) {}
    }

    @Test("where the counter cannot be read behind it either, the new file stays and is the one that opens")
    func unknown() throws {
        let bound = try BoundVault(.counter)
        let hasMoved = Flag()
        let relay = try TPMRelay(
            before: bound.tpm,
            onAnswer: { command, answer in
                if TPMRelay.code(command) == Self.increment { hasMoved.set() }
                let isMeant = [Self.increment, Self.read].contains(TPMRelay.code(command))
                if isMeant, hasMoved.isSet { answer = TPMRelay.answer(Self.refusal) }
            })
        let vault = try open(bound, through: relay)
        #expect(code { try changePIN(vault) } == "wrongCredential")
        #expect(hasNewFile(bound))
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(bound.unlock() == "wrongCredential")
        try bound.open().unlock(.recovery(bound.recovery))
        withExtendedLifetime(relay) {}
    }

    @Test("where the counter did not move, the change is taken back")
    func kept() throws {
        let bound = try BoundVault(.hardLimit)
        let indices = try bound.indices()
        let relay = try TPMRelay(
            before: bound.tpm,
            onCommand: { TPMRelay.code($0) == Self.increment ? TPMRelay.answer(Self.refusal) : nil })
        let vault = try open(bound, through: relay)
        #expect(code { try changePIN(vault) } == "wrongCredential")
        #expect(!hasNewFile(bound))
        #expect(try bound.indices() == indices)
        #expect(bound.unlock() == "ok")
        withExtendedLifetime(relay) {}
    }

    /// An error in place of the answers to a command.
    struct Forgery: CustomTestStringConvertible, Sendable {
        let command: UInt32
        let error: UInt32

        var testDescription: String { "\(String(command, radix: 16)): \(String(error, radix: 16))" }

        static let all = [
            Forgery(command: 0x157, error: 0x1df), Forgery(command: 0x169, error: 0x18b),
            Forgery(command: read, error: 0x18b), Forgery(command: read, error: refusal),
        ]
    }

    @Test(
        "a wipe takes no fault that somebody else finds for the TPM's word that nothing is left",
        arguments: [
            Forgery(command: 0x157, error: 0x1df), Forgery(command: 0x157, error: 0x2c5),
            Forgery(command: 0x169, error: 0x18b), Forgery(command: 0x14e, error: 0x18b),
        ])
    func wipe(forgery: Forgery) throws {
        let bound = try BoundVault(.hardLimit)
        let copy = try bound.folder.files()
        let indices = try bound.indices()
        let isOpen = Flag()
        let relay = try TPMRelay(
            before: bound.tpm,
            onAnswer: { command, answer in
                guard isOpen.isSet, TPMRelay.code(command) == forgery.command else { return }
                answer = TPMRelay.answer(forgery.error)
            })
        var options = bound.options
        options.tpm = try TPMAddress(tcti: relay.tcti)
        let vault = try Unwatched.open(at: bound.folder.path, options)
        isOpen.set()
        #expect(try vault.wipe().count == indices.count)
        #expect(try bound.indices() == indices)
        try bound.folder.restore(copy)
        // What was loaded, and said not to be, is in the TPM still.
        try bound.tpm.run("tpm2_flushcontext", "--transient-object")
        #expect(bound.unlock() == "ok")
        withExtendedLifetime(relay) {}
    }

    @Test(
        "an error in place of an answer, whichever, leaves no older file that opens beside a change of the PIN",
        arguments: Forgery.all, 1...4)
    func oneError(forgery: Forgery, turn: Int) throws {
        let bound = try BoundVault(.counter)
        let yesterday = try bound.folder.files()
        let (isOpen, count) = (Flag(), Count())
        let relay = try TPMRelay(
            before: bound.tpm,
            onAnswer: { command, answer in
                guard isOpen.isSet, TPMRelay.code(command) == forgery.command, count.next() == turn else { return }
                answer = TPMRelay.answer(forgery.error)
            })
        let vault = try open(bound, through: relay)
        isOpen.set()
        guard code({ try changePIN(vault) }) == "ok" else { return }
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        try bound.folder.restore(yesterday)
        #expect(["rolledBack", "hardwareDead"].contains(bound.unlock()))
        withExtendedLifetime(relay) {}
    }

    @Test(
        "no error in place of an answer wipes a vault that is to be wiped at the limit: the TPM has counted nothing",
        arguments: zip([0x12f, 0x98e] as [UInt32], ["attemptsExhausted", "wrongCredential"]))
    func wipesNothing(error: UInt32, name: String) throws {
        let bound = try BoundVault(.hardLimit) {
            $0.attemptLimit = 1
            $0.wipesOnLimit = true
        }
        // In place of the answer to PolicySecret, which is what a wrong PIN or one too many comes to.
        let relay = try TPMRelay(
            before: bound.tpm, onCommand: { TPMRelay.code($0) == 0x151 ? TPMRelay.answer(error) : nil })
        #expect(code { _ = try open(bound, through: relay) } == name)
        withExtendedLifetime(relay) {}
        try bound.open().unlock(.recovery(bound.recovery))
        #expect(bound.unlock() == "ok")
    }

    @Test("with a strict anchor a setting that was changed behind such an answer is changed")
    func strict() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let relay = try TPMRelay(before: bound.tpm, onAnswer: Self.refuseIncrement)
        try open(bound, through: relay).setAutolock(.minutes(5))
        #expect(bound.unlock() == "ok")
        #expect(try bound.open().status().autolock == .minutes(5))
        withExtendedLifetime(relay) {}
    }
}

/// Counts what goes by a relay.
private final class Count: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}

/// What a relay's thread tells itself or its test.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
