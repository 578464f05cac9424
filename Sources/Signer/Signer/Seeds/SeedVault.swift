import SecretMemory
import Substrate

/// Where recovery phrases are kept, sealed under a PIN or passphrase.
///
/// Each call takes the credential and opens the store for its own time only. A refused call changes nothing.
public protocol SeedVault: Sendable {
    /// Names in byte order.
    func names(credential: SecretBytes) throws -> [String]
    /// - Throws: ``SignerError/seedNameTaken(name:)``, ``SignerError/seedAlreadyExists(name:)``.
    func add(_ mnemonic: Mnemonic, named name: String, credential: SecretBytes) throws
    /// - Throws: ``SignerError/seedNotFound(name:)``.
    func mnemonic(named name: String, credential: SecretBytes) throws -> Mnemonic
    /// - Throws: ``SignerError/seedNotFound(name:)``.
    func remove(_ name: String, credential: SecretBytes) throws
    /// Seals everything under another credential.
    func changeCredential(from old: SecretBytes, to new: SecretBytes) throws
}
