import Airgap
import BasicFoundation
import MainKey
import Substrate

/// What taking in new metadata costs, for measuring.
@_spi(Benchmarks)
public enum UpdateBenchmark {
    private static let unlocking = Unlocking { _ in throw SignerError.vaultKey(.locked) }

    /// Makes a vault that asks for nothing, with a network that nobody vouches for and no metadata of it.
    ///
    /// - Parameter blob: metadata of the network.
    /// - Returns: the unsigned update with the metadata.
    public static func make(in folder: URL, metadata blob: [UInt8]) throws -> [UInt8] {
        let metadata = try ChainMetadata(blob)
        let genesis = Hash256(unchecked: [UInt8](repeating: 9, count: Hash256.byteCount))
        let specs = NetworkSpecs(
            base58Prefix: metadata.base58Prefix ?? 42, color: "#000", decimals: 12, scheme: .sr25519,
            genesisHash: genesis, logo: "bench", name: metadata.specName, pathID: "//bench", secondaryColor: "#000",
            title: "Bench", unit: "BEN")
        var bundle = try NetworkBundle.shipped()
        bundle.networks.removeAll { $0.specs.name == metadata.specName }
        try Vault.create(in: folder, protections: [.none], options: VaultOptions(), bundle: bundle)
        let vault = try Vault.open(folder, unlocking: unlocking)
        try vault.acceptUpdate(vault.propose(UpdatePayload.payload(.specs(specs))))
        return UpdatePayload.payload(.metadata(blob, genesisHash: genesis))
    }

    /// Opens the vault, reads the update and takes it in.
    public static func take(_ payload: [UInt8], in folder: URL) throws {
        let vault = try Vault.open(folder, unlocking: unlocking)
        try vault.acceptUpdate(vault.propose(payload))
    }

    /// Takes the metadata out again.
    public static func forget(in folder: URL) throws {
        let vault = try Vault.open(folder, unlocking: unlocking)
        guard let network = try vault.networkList().first(where: { $0.specs.title == "Bench" }) else { return }
        for metadata in network.metadata {
            try vault.removeMetadata(name: network.specs.name, version: metadata.version)
        }
    }
}
