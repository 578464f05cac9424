import Substrate

/// Where there are no seeds to be had: without a vault, or in one that is to be sealed anew first.
struct NoSeeds: SeedVault {
    /// Why there are none; nil says that there is no seed of the name.
    var refusal: SignerError?

    func names() throws -> [String] { [] }
    func listedNames() throws -> [String]? { nil }
    func mnemonic(named name: String) throws -> Mnemonic { throw refusal ?? .seedNotFound(name: name) }
    func copy(_ name: String, to newName: String) throws { throw refusal ?? .seedNotFound(name: name) }
    func remove(_ name: String) throws { throw refusal ?? .seedNotFound(name: name) }
    func add(_ mnemonic: Mnemonic, named name: String) throws { throw refusal ?? .nothingPending }
}
