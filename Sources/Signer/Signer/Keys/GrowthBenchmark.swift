import BasicFoundation
import MainKey
import Substrate

/// A vault of a given size that can sign, for measuring what grows with it.
@_spi(Benchmarks)
public enum GrowthBenchmark {
    private static let unlocking = Unlocking { _ in throw SignerError.vaultKey(.locked) }
    private static let seed = "bench"

    /// Makes a vault that asks for nothing, with further entries of the log and further keys of Westend below one
    /// phrase. Half of the keys follow from one whose secret was exported.
    ///
    /// - Returns: the public key of one of the others, 32 bytes.
    public static func make(in folder: URL, keyCount: Int, entryCount: Int) throws -> [UInt8] {
        try OpeningBenchmark.make(in: folder, entryCount: entryCount)
        let vault = try open(folder, for: .write)
        try vault.createSeed(named: seed) { _ in }
        let westend = try vault.network(named: "westend")
        let exported = try addKeys(below: "//exported", count: keyCount / 2, to: vault, westend)
        _ = try vault.exportSecret(of: exported, in: westend.key)
        return try addKeys(below: "//kept", count: keyCount - keyCount / 2, to: vault, westend).publicKey
    }

    /// Adds them in one transaction, with an entry of the log for as many as a person makes at once.
    private static func addKeys(
        below path: String, count: Int, to vault: Vault, _ network: NetworkSpecs
    ) throws -> MultiSigner {
        let paths = [path] + (0..<count).map { "\(path)//\($0)" }
        let pairs = try Vault.derive(
            vault.seeds.mnemonic(named: seed), paths: paths.map(Vault.path), scheme: network.scheme)
        try vault.database.write { trees in
            var events: [Event] = []
            for (path, pair) in zip(paths, pairs) {
                events += try trees.enable(pair.multiSigner, seed: seed, path: path, hasPassword: false, in: network)
                guard events.count == NumberedPaths.mostAtOnce || path == paths.last else { continue }
                try HistoryLog.append(events, at: vault.now(), to: trees)
                events = []
            }
        }
        return pairs[0].multiSigner
    }

    /// Opens the vault, asking nobody.
    public static func open(_ folder: URL, for access: Vault.Access) throws -> Vault {
        try Vault.open(folder, for: access, unlocking: unlocking)
    }
}
