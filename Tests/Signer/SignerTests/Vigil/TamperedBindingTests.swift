import Foundation
import MainKey
import SecretMemory
import Testing

@testable import Signer

@Suite("A bound vault whose folder somebody changed")
struct TamperedBindingTests {
    private func newPIN() throws -> SecretBytes { try TestVault.secret("a newer passphrase") }

    /// Changes that made a PIN without the grant before.
    private func changes(_ vault: BoundVault) -> [() throws -> Void] {
        [
            { try vault.key.changePIN { try newPIN() } },
            { try vault.key.setProtections { [.pin(try newPIN())] } },
            { try vault.key.setAutolock(.minutes(7)) },
            {
                _ = try Vault.rotate(
                    vault.test.folder, unlocking: vault.unlocking,
                    renewal: KeyRenewal(newPIN: newPIN, takeRecoveryCode: { _, commit in try commit() }))
            },
        ]
    }

    @Test("without its record, the recovery code changes nothing and does not lose the binding in silence")
    func recordMissing() throws {
        let vault = try BoundVault()
        try FileManager.default.removeItem(at: vault.record)
        try vault.typeRecoveryCode()
        for change in changes(vault) { #expect(vault.refusal { try change() } == .bindingDiffers(.recordMissing)) }
        // It is there to be read all the same, and is what it was once the record is back.
        #expect(try vault.open(.read).seedNames() == ["demo"])
        try vault.key.restoreBinding()
        vault.typePIN()
        _ = try vault.open(.read)
        #expect(vault.refusal { _ = try vault.test.open(.read) } == .noValidator(bound: BoundVault.keyID))
        try vault.typeRecoveryCode()
        try vault.key.changePIN { try newPIN() }
        vault.test.person.pin = try newPIN()
        _ = try vault.open(.read)
    }

    @Test("a record that somebody invents for a vault that is not bound is not believed, nor put back")
    func recordInvented() throws {
        let vault = try BoundVault(isBound: false)
        let invented = VaultBinding(label: "casemate", validatorKeyID: BoundVault.keyID)
        try BindingRecord(in: vault.test.folder.appending(path: "key").path).write(invented)
        try vault.typeRecoveryCode()
        for change in changes(vault) { #expect(vault.refusal { try change() } == .bindingDiffers(.recordInvented)) }
        try FileManager.default.removeItem(at: vault.record)
        #expect(vault.refusal { try vault.key.restoreBinding() } == .notBound)
        try vault.key.changePIN { try newPIN() }
    }

    @Test("what it said of itself at another time is no word of now", arguments: [true, false])
    func oldMark(_ isRemoved: Bool) throws {
        let vault = try BoundVault(isBound: false)
        try vault.withOldMark { try vault.key.bind { vault.test.pin } }
        if isRemoved { try vault.key.engine.removeItem("vigil") }
        #expect(vault.refusal { _ = try vault.open(.read) } == .bindingDiffers(.mark))
        try vault.typeRecoveryCode()
        for change in changes(vault) { #expect(vault.refusal { try change() } == .bindingDiffers(.mark)) }
        // The explicit way, with a PIN that is made for it.
        try vault.key.unbind { try newPIN() }
        vault.test.person.pin = try newPIN()
        #expect(try vault.test.open(.read).seedNames() == ["demo"])
        try vault.key.bind { vault.test.pin }
        _ = try vault.open(.read)
    }

    @Test("the explicit ways stay: the recovery code binds it anew, or gives the binding up", arguments: [true, false])
    func explicit(_ isBound: Bool) throws {
        let vault = try BoundVault()
        try FileManager.default.removeItem(at: vault.record)
        try vault.typeRecoveryCode()
        if isBound {
            try vault.key.bind { try newPIN() }
        } else {
            try vault.key.unbind { try newPIN() }
        }
        vault.test.person.pin = try newPIN()
        _ = try vault.open(.read)
        if isBound {
            #expect(vault.refusal { _ = try vault.test.open(.read) } != nil)
        } else {
            _ = try vault.test.open(.read)
        }
    }
}
