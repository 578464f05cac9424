import SecretMemory
import Substrate

/// Where recovery phrases are kept. A refused call changes nothing.
package protocol SeedVault: Sendable {
    /// Names in byte order.
    func names() throws -> [String]
    /// The same without opening a seed; nil where they cannot be told so.
    func listedNames() throws -> [String]?
    /// - Throws: ``SignerError/seedNameTaken(name:)``, ``SignerError/seedAlreadyExists(name:)``.
    func add(_ mnemonic: Mnemonic, named name: String) throws
    /// Stores a phrase under a second name, as is done on the way to a new one.
    ///
    /// - Throws: ``SignerError/seedNotFound(name:)``, ``SignerError/seedNameTaken(name:)``.
    func copy(_ name: String, to newName: String) throws
    /// - Throws: ``SignerError/seedNotFound(name:)``.
    func mnemonic(named name: String) throws -> Mnemonic
    /// - Throws: ``SignerError/seedNotFound(name:)``.
    func remove(_ name: String) throws
}

extension SeedVault {
    package func listedNames() throws -> [String]? { try names() }
}
