import Substrate
import TextForms

/// A network that a new database knows.
///
/// Source: `signer-wire` sections 7.1 and 8.1.
struct DefaultNetwork {
    let specs: NetworkSpecs
    let url: String

    var title: String { "\(specs.name)-\(specs.scheme.name)" }

    var entry: AddressBookEntry {
        AddressBookEntry(
            name: specs.name, genesisHash: specs.genesisHash, url: url, scheme: specs.scheme, isDefault: true)
    }

    static let all = [
        network(
            "polkadot", prefix: 0, decimals: 10, unit: "DOT", color: "#E6027A", url: "wss://rpc.polkadot.io",
            genesis: "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"),
        network(
            "kusama", prefix: 2, decimals: 12, unit: "KSM", color: "#000", url: "wss://kusama-rpc.polkadot.io",
            genesis: "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe"),
        network(
            "westend", prefix: 42, decimals: 12, unit: "WND", color: "#660D35", url: "wss://westend-rpc.polkadot.io",
            genesis: "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"),
    ].compactMap { $0 }

    private static func network(
        _ name: String, prefix: UInt16, decimals: UInt8, unit: String, color: String, url: String, genesis: String
    ) -> DefaultNetwork? {
        guard let genesis = Hex.decode(genesis).flatMap({ Hash256($0) }) else { return nil }
        let specs = NetworkSpecs(
            base58Prefix: prefix, color: color, decimals: decimals, scheme: .sr25519, genesisHash: genesis, logo: name,
            name: name, pathID: "//\(name)", secondaryColor: "#262626",
            title: name.prefix(1).uppercased() + name.dropFirst(),
            unit: unit)
        return DefaultNetwork(specs: specs, url: url)
    }
}
