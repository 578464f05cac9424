import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite(
    "A vault bound to a TPM's registers", .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools), .serialized)
struct RegisterVaultTests {
    private let secureBoot = TPMRegisterSelection("7")!

    /// A vault that was bound after something was measured into register 7.
    private func bound(
        _ template: HardwareBinding.Template, _ change: (inout VaultOptions) -> Void = { _ in }
    ) throws -> BoundVault {
        let tpm = try SoftwareTPM()
        try start(tpm)
        return try BoundVault(HardwareBinding(template, registers: secureBoot), on: tpm, change)
    }

    /// Measures what an update of the firmware would.
    private func start(_ tpm: SoftwareTPM) throws {
        _ = try TPM(at: TPMAddress(tcti: tpm.tcti))
        try tpm.run("tpm2_pcrextend", "7:sha256=" + String(repeating: "7c", count: 32))
    }

    @Test(
        "a machine that was started otherwise is refused by name; the recovery code opens, and it can be bound anew",
        arguments: [HardwareBinding.Template.lockout, .counter, .hardLimit])
    func changed(template: HardwareBinding.Template) throws {
        let bound = try bound(template)
        #expect(try bound.opened().status().ways.first?.binding == bound.binding)
        try start(bound.tpm)
        let before = try bound.open().status().attemptsLeft
        for pin in [VaultFolder.pin, VaultFolder.otherPIN] {
            #expect(throws: MainKeyError.hardwareChanged(registers: secureBoot)) { try bound.opened(pin) }
        }
        #expect(try bound.open().status(asksHardware: true).attemptsLeft == before)
        let vault = try bound.open()
        try vault.unlock(.recovery(bound.recovery))
        #expect(try vault.token("t")?.testBytes == Array("token".utf8))
        let kept = try vault.status().ways.filter { $0.kind == "recovery" }.map(\.id)
        try vault.setProtections(
            keeping: Set(kept), adding: [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), bound.binding)],
            authenticatedBy: .recovery(bound.recovery), VaultFolder.options)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(bound.unlock() == "wrongCredential")
        #expect(try bound.indices().count == [.lockout: 0, .counter: 1, .hardLimit: 2][template])
        try start(bound.tpm)
        #expect(bound.unlock(VaultFolder.otherPIN) == "hardwareChanged")
    }

    @Test("another PIN and a new MainKey keep the registers")
    func kept() throws {
        let bound = try bound(.counter)
        let vault = try bound.opened()
        try vault.changePIN(
            from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
        #expect(try vault.status().ways.contains { $0.binding == bound.binding })
        try start(bound.tpm)
        #expect(bound.unlock(VaultFolder.otherPIN) == "hardwareChanged")
    }

    @Test("what a strict anchor seals anew stays bound to what the registers were, not to what they have become")
    func strict() throws {
        let bound = try bound(.counter) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        try start(bound.tpm)
        try vault.setAutolock(.minutes(5))
        #expect(bound.unlock() == "hardwareChanged")
    }

    @Test("without a measurement, or with none to bind to, nothing is made and nothing is left in the TPM")
    func nothingMeasured() throws {
        let tpm = try SoftwareTPM()
        #expect(
            code {
                _ = try BoundVault(HardwareBinding(.hardLimit, registers: secureBoot), on: tpm)
            } == "configError")
        #expect(try TPM(at: TPMAddress(tcti: tpm.tcti)).definedIndices().isEmpty)
    }

    @Test("the slot's version says so: programs of before refuse it, and none takes one for the other")
    func version() throws {
        let bound = try bound(.counter)
        let slot = try #require(try bound.open().knownFile().slots.first)
        // Slots of other kinds stay what they were.
        #expect(try bound.open().knownFile().slots.map { $0.bytes[3] } == [2, 1])
        #expect(slot.hardwareBlob[0] == 2)
        var old = slot.bytes
        old[3] = 1
        #expect(throws: MainKeyError.malformed(.slot, reason: "its hardware blob goes with version 2")) {
            try Slot(parsing: old[...])
        }
        var unbound = slot.bytes
        unbound[60] = 1
        #expect(throws: MainKeyError.unsupportedVersion(.slot, found: 2)) { try Slot(parsing: unbound[...]) }
        var newer = slot.bytes
        newer[3] = 3
        #expect(throws: MainKeyError.unsupportedVersion(.slot, found: 3)) { try Slot(parsing: newer[...]) }
        let recovery = try bound.open().knownFile().slots[1]
        var two = recovery.bytes
        two[3] = 2
        #expect(throws: MainKeyError.unsupportedVersion(.slot, found: 2)) { try Slot(parsing: two[...]) }
    }
}

extension MainKeyVault {
    /// The key file as it was read.
    fileprivate func knownFile() throws -> KeyFile { memory.file }
}
