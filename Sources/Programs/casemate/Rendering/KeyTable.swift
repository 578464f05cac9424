import Console
import Signer
import Substrate
import TextForms

/// Stored keys as a table, one line for each network that a key is in.
enum KeyTable {
    static func text(_ keys: [StoredKey], _ networks: [NetworkSpecs]) -> String {
        let titled = networks.map { ($0, title: ForeignName.shown($0.title(among: networks), as: .title)) }
        let rows = keys.flatMap { key -> [[String]] in
            let path =
                (key.details.path.isEmpty ? "(root)" : ForeignName.shown(key.details.path, as: .title))
                + (key.details.hasPassword ? " ///…" : "")
            let seed = ForeignName.shown(key.details.seedName, as: .title)
            let enabled = titled.filter { network, _ in key.details.networks.contains(network.key) }
            if enabled.isEmpty { return [[seed, path, "-", Hex.encode(key.signer.publicKey)]] }
            return enabled.map { network, title in [seed, path, title, key.address(in: network).text] }
        }
        return rows.isEmpty ? "There are no keys." : Table.text(["SEED", "PATH", "NETWORK", "ADDRESS"], rows)
    }
}

/// A stored key for machines.
struct KeyJSON: Encodable {
    struct Use: Encodable {
        var network: String
        var genesisHash: String
        var address: String
    }

    var seed: String
    var path: String
    var hasPassword: Bool
    var scheme: String
    var publicKey: String
    var secretExposed: Bool
    /// Whether its secret follows from one that left the vault and from public keys.
    var softParentAtRisk: Bool
    var networks: [Use]

    static func list(_ keys: [StoredKey], _ networks: [NetworkSpecs], risks: ExposureNotices) -> [KeyJSON] {
        keys.map { key in
            KeyJSON(
                seed: key.details.seedName, path: key.details.path, hasPassword: key.details.hasPassword,
                scheme: key.details.scheme.name, publicKey: "0x" + Hex.encode(key.signer.publicKey),
                secretExposed: key.details.secretExposed,
                softParentAtRisk: risks.atRisk.contains(key.signer),
                networks: networks.filter { key.details.networks.contains($0.key) }.map { network in
                    Use(
                        network: network.title, genesisHash: network.genesisHash.hex,
                        address: key.address(in: network).text)
                })
        }
    }
}

extension OutputOptions {
    /// Shows keys, and says which of them somebody else may have: whoever gives such an address out should know.
    ///
    /// - Parameter heading: lines above the table, each with its line break.
    func show(
        _ keys: [StoredKey], _ networks: [NetworkSpecs], of vault: Vault, heading: String = ""
    ) throws {
        let risks = try ExposureNotices(of: keys, among: vault.keyRows())
        try show(
            KeyJSON.list(keys, networks, risks: risks), text: heading + KeyTable.text(keys, networks) + risks.text)
    }
}
