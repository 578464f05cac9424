import BasicFoundation
import InstalledSigner
import Signer
import SignerCore

extension Demonstration {
    /// A vault in memory with keys that everybody knows.
    static func host() throws -> MemoryHost {
        let host = try MemoryHost(.shipped(), confirmsDangers: true) { Date() }
        guard let vault = try host.openVault() else { return host }
        try vault.recoverSeed(named: "Demonstration", phrase: phrase())
        for network in try vault.networks() {
            for path in ["//Alice", "//Bob", "//Alice//stash"] {
                _ = try vault.deriveKey(seed: "Demonstration", path: path, password: nil, network: network)
            }
        }
        return host
    }
}
