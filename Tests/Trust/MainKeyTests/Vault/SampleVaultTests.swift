import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("Vaults that another implementation made", .enabled(if: SharedData.has("mainkey/vault-sample")))
struct SampleVaultTests {
    /// A copy with the modes that a vault has.
    private static func copy(_ name: String) throws -> VaultFolder {
        let folder = try VaultFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for file in ["keyring.mk", "attempts.mk"] {
            guard let bytes = try? SharedData.bytes("mainkey/\(name)/\(file)") else { continue }
            try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(file)"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: "\(folder.path)/\(file)")
        }
        return folder
    }

    @Test("the sample opens with its PIN and its recovery code, and gives back its files")
    func sample() throws {
        let known = try SharedData.json("mainkey/vault-sample.json")
        let folder = try Self.copy("vault-sample")
        let vault = try folder.open()
        #expect(code { try vault.unlock(.pin(VaultFolder.pin("not the PIN"))) } == "wrongCredential")
        try vault.unlock(.pin(SecretBytes(test: known["pin"].string ?? "")))
        let status = try vault.status()
        #expect(status.generation == 6)
        #expect(status.autolock == .minutes(15))
        #expect(status.epochs.map(\.number) == [1, 2])
        #expect(status.isRotating)
        for file in known["files"].array {
            let path = SharedData.url("mainkey/vault-sample/\(file["file"].string ?? "")").path
            let bytes = try vault.withUnlocked { vault in
                let reader = try vault.fileReader(at: path, context: Array((file["context"].string ?? "").utf8))
                return try reader.read(at: 0, count: reader.byteCount)
            }
            #expect(bytes.count == file["len"].int)
            #expect(hex(bytes.withUnsafeBytes { sha256($0) }) == file["sha256"].string)
        }
        vault.lock()
        try vault.unlock(
            .recovery(RecoveryCode(bytes: SecretBytes(test: known["recovery"].string ?? ""))))
    }

    @Test(
        "the samples in a TPM open there", .enabled(if: SoftwareTPM.isInstalled), arguments: ["template2", "template3"])
    func hardware(name: String) throws {
        let known = try SharedData.json("mainkey/tpm/\(name)/expect.json")
        let tpm = try SoftwareTPM(state: SharedData.url("mainkey/tpm/\(name)/swtpm-state"))
        let folder = try Self.copy("tpm/\(name)")
        var options = OpenOptions()
        options.tpm = try TPMAddress(tcti: tpm.tcti)
        options.allowsSoftwareTPM = true
        let vault = try Unwatched.open(at: folder.path, options)
        try vault.authentication.limiter(of: vault.store.load().file).reset()
        let pin = try SecretBytes(test: known["pin"].string ?? "")
        try vault.unlock(.hardwareAndPIN(pin))
        #expect(vault.state == .unlocked)
        #expect(try vault.memory.unlocked().1.secrets.mainKey.testBytes == known["mainKey"].hex)
        let yesterday = try folder.files()
        try vault.changePIN(from: pin, to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
        try folder.restore(yesterday)
        let restored = try Unwatched.open(at: folder.path, options)
        #expect(["rolledBack", "hardwareDead"].contains(code { try restored.unlock(.hardwareAndPIN(pin)) }))
    }

    @Test("one more wrong PIN ends the one with a single try left", .enabled(if: SoftwareTPM.isInstalled))
    func lastTry() throws {
        let known = try SharedData.json("mainkey/tpm/template3-last-try/expect.json")
        let tpm = try SoftwareTPM(state: SharedData.url("mainkey/tpm/template3-last-try/swtpm-state"))
        let folder = try Self.copy("tpm/template3-last-try")
        var options = OpenOptions()
        options.tpm = try TPMAddress(tcti: tpm.tcti)
        options.allowsSoftwareTPM = true
        let vault = try Unwatched.open(at: folder.path, options)
        try vault.authentication.limiter(of: vault.store.load().file).reset()
        #expect(code { try vault.unlock(.hardwareAndPIN(VaultFolder.pin("not the PIN"))) } == "wrongCredential")
        let pin = try SecretBytes(test: known["pin"].string ?? "")
        #expect(throws: MainKeyError.attemptsExhausted(byHardware: true)) { try vault.unlock(.hardwareAndPIN(pin)) }
        try vault.unlock(.recovery(RecoveryCode(bytes: SecretBytes(test: known["recovery"].string ?? ""))))
    }
}
