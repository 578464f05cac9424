import Foundation
import HardwareKeys
import KnownAnswers
import MainKey
import SecretMemory

/// A vault that is bound to a simulated TPM: the key file `keyring.mk` beside the list, and the simulator's state in
/// `swtpm-state`.
enum TPMVaultAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("pin", "recovery", "mainKey", "epochKeys", "hwSecret", "blob", "counterIndex")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let vault = try TPMVault(content, keyFile: file.beside("keyring.mk").bytes())
        // How the simulator is started, in words, and where the parts of a blob are told.
        content.leave("start", "blobLayout")
        report.check(content, as: "recovery") { row in try vault.checkRecovery(&row) }
        report.check(content, as: "pin") { row in try vault.checkPIN(&row) }
        report.check(content, as: "blob") { row in try vault.checkBlob(&row) }
        // The one file that a simulator has here.
        let state = file.beside("swtpm-state/tpm2-00.permall").location().deletingLastPathComponent()
        report.check(content, as: "unlocking") { row in
            try vault.withSimulator(on: state, for: &row) { tpm, row in try vault.checkUnlocking(with: tpm, &row) }
        }
        report.check(content, as: "wrong PIN") { row in
            try vault.withSimulator(on: state, for: &row) { tpm, row in try vault.checkWrongPIN(with: tpm, &row) }
        }
    }
}

/// The key file of a known answer, with the secrets that belong to it.
private struct TPMVault {
    let known: KnownKeys
    let bytes: [UInt8]
    let slot: Slot
    let blob: TPMSealedBlob

    init(_ content: JSON, keyFile bytes: [UInt8]) throws {
        known = try KnownKeys(content)
        self.bytes = bytes
        guard let slot = try KeyFile(parsing: bytes).slots.first(where: { $0.kind == .hardwareAndPIN }) else {
            throw RowError.missing("the hardware's slot in keyring.mk")
        }
        self.slot = slot
        blob = try TPMSealedBlob(parsing: slot.hardwareBlob)
    }

    // MARK: Without a TPM

    func checkRecovery(_ row: inout Row) throws {
        try expect(KnownCredential(recovery: try row.secretText("recovery")), &row)
    }

    /// Checks the PIN together with the secret that the hardware would release.
    func checkPIN(_ row: inout Row) throws {
        try expect(KnownCredential(pin: try row.secretText("pin"), hardware: try row.secret("hwSecret")), &row)
        let authorisation = try authorisation(by: row.secretText("pin"))
        row.expect("hwAuth", authorisation.revealed, equals: try row.bytes("hwAuth"))
    }

    func checkBlob(_ row: inout Row) throws {
        row.expect("blob", slot.hardwareBlob, equals: try row.bytes("blob"))
        row.expect("written", blob.serialised, equals: slot.hardwareBlob)
        row.expect("template", blob.policy.template, equals: try row.integer("template"))
        row.expect("policy", blob.policy.digest, equals: try row.bytes("policy"))
        row.expect("counterIndex", blob.policy.counter?.index ?? 0, equals: try row.integer("counterIndex"))
        row.expect("counterValue", blob.policy.counter?.value ?? 0, equals: try row.integer("counterValue"))
        row.expect("pinIndex", blob.policy.pin?.index ?? 0, equals: try row.integer("pinIndex"))
        row.expect("pinLimit", blob.policy.pin?.limit ?? 0, equals: try row.integer("pinLimit"))
    }

    private func expect(_ credential: KnownCredential, anchor: UInt64? = nil, _ row: inout Row) throws {
        let opened = try OpenedKeyFile(bytes, with: credential, anchor: anchor)
        row.expect("vaultID", opened.file.vault, equals: known.vault)
        row.expect("main key", opened.secrets.mainKey.revealed, equals: try row.bytes("mainKey"))
        row.expect("epochs", opened.epochs.revealed, equals: known.byEpoch.revealed)
        let counter = try opened.secrets.counterAuthorisation()
        row.expect("counterAuth", counter.revealed, equals: try row.bytes("counterAuth"))
    }

    private func authorisation(by pin: SecretBytes) throws -> SecretBytes {
        guard let cost = slot.cost else { throw RowError.missing("the cost of the hardware's slot") }
        return try Slot.hardwareAuthorisation(
            pin: try Argon2id.stretch(pin, salt: slot.salt, cost: cost), salt: slot.salt, vault: known.vault,
            id: slot.id,
            kind: slot.kind)
    }

    // MARK: With one

    func withSimulator(on state: URL, for row: inout Row, _ body: (TPM, inout Row) throws -> Void) throws {
        _ = try row.integer("pinCountNow", as: Int.self)
        guard SoftwareTPM.isInstalled else {
            row.skip("swtpm is not installed")
            return
        }
        let simulator = try SoftwareTPM(state: state)
        try withExtendedLifetime(simulator) {
            try body(TPM(at: TPMAddress(tcti: simulator.tcti)), &row)
        }
    }

    func checkUnlocking(with tpm: TPM, _ row: inout Row) throws {
        let pin = try row.secretText("pin")
        var anchor: UInt64?
        if let counter = blob.policy.counter {
            anchor = try tpm.readCounter(counter.index)
            row.expect("counter", anchor, equals: counter.value)
        }
        if let index = blob.policy.pin?.index {
            row.expect("wrong PINs so far", try tpm.pinAttempts(index).wrong, equals: try row.integer("pinCountNow"))
        }
        let secret = try tpm.unseal(blob, auth: authorisation(by: pin))
        row.expect("hwSecret", secret.revealed, equals: try row.bytes("hwSecret"))
        try expect(KnownCredential(pin: pin, hardware: secret), anchor: anchor, &row)
    }

    /// The hardware counts it, and after the last that it allows takes the right one no more.
    func checkWrongPIN(with tpm: TPM, _ row: inout Row) throws {
        let wrong = try authorisation(by: SecretBytes(copying: Array("not the PIN".utf8)))
        row.expect("wrong PIN", refusal(of: tpm, auth: wrong), equals: .wrongCredential)
        let right = try authorisation(by: row.secretText("pin"))
        let left = try row.integer("pinLimit", as: Int.self) - row.integer("pinCountNow") - 1
        let isExhausted = blob.policy.pin != nil && left == 0
        row.expect("right PIN then", refusal(of: tpm, auth: right), equals: isExhausted ? .exhausted : nil)
    }

    /// - Returns: nil if the secret is released.
    private func refusal(of tpm: TPM, auth: SecretBytes) -> HardwareKeyError? {
        do {
            _ = try tpm.unseal(blob, auth: auth)
            return nil
        } catch {
            return error
        }
    }
}
