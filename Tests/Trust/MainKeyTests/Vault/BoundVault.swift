import Foundation
import HardwareKeys
import SecretMemory
import TestSupport

@testable import MainKey

/// A vault with TPM and PIN, and a recovery code.
struct BoundVault {
    let folder: VaultFolder
    let tpm: SoftwareTPM
    let binding: HardwareBinding
    let recovery: RecoveryCode
    let options: OpenOptions

    /// - Parameter tpm: nil for one of its own.
    init(
        _ binding: HardwareBinding, on tpm: SoftwareTPM? = nil, _ change: (inout VaultOptions) -> Void = { _ in }
    ) throws {
        folder = try VaultFolder()
        self.tpm = try tpm ?? SoftwareTPM()
        self.binding = binding
        recovery = try RecoveryCode.generate()
        var open = OpenOptions()
        open.tpm = try TPMAddress(tcti: self.tpm.tcti)
        open.allowsSoftwareTPM = true
        open.knownVaults = KnownVaults(at: folder.url.appending(path: "known").path)
        options = open
        var options = VaultFolder.options
        change(&options)
        let vault = try Unwatched.create(
            at: folder.path, [.hardwareAndPIN(VaultFolder.pin(), binding), .recovery(recovery)], options, open)
        try vault.setToken("t", SecretBytes(test: "token"))
    }

    func open() throws -> MainKeyVault { try Unwatched.open(at: folder.path, options) }

    func opened(_ pin: String = VaultFolder.pin) throws -> MainKeyVault {
        let vault = try open()
        try vault.unlock(.hardwareAndPIN(VaultFolder.pin(pin)))
        return vault
    }

    func unlock(_ pin: String = VaultFolder.pin) -> String { code { _ = try opened(pin) } }

    /// Indices of vaults in the TPM.
    func indices() throws -> [UInt32] { try TPM(at: TPMAddress(tcti: tpm.tcti)).definedIndices() }

    // MARK: The simulator's state

    private var stateFolder: URL { tpm.folder.appending(path: "state") }

    /// The files of the TPM as it is.
    func tpmState() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: stateFolder.path) {
            files[name] = try Data(contentsOf: stateFolder.appending(path: name))
        }
        return files
    }

    /// Puts another TPM in the place of this one.
    func replaceTPM() throws {
        tpm.stop()
        for name in try tpmState().keys { try FileManager.default.removeItem(at: stateFolder.appending(path: name)) }
        try tpm.start()
    }

    /// Puts the TPM back to what it was, which no real one can be.
    func restart(from state: [String: Data]) throws {
        tpm.stop()
        for (name, bytes) in state { try bytes.write(to: stateFolder.appending(path: name)) }
        try tpm.start()
    }
}
