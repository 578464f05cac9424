import Airgap
import Substrate
import TextForms

/// What a release brings: networks with their metadata, and whom it trusts for updates.
public struct NetworkBundle: Sendable {
    /// A network with its metadata.
    public struct Network: Sendable {
        /// What names and describes the network.
        public var specs: NetworkSpecs
        /// Metadata blobs, any order.
        public var metadata: [[UInt8]]

        package init(specs: NetworkSpecs, metadata: [[UInt8]]) {
            self.specs = specs
            self.metadata = metadata
        }
    }

    /// The networks in the order of lists.
    public var networks: [Network]
    package var generalVerifier: Verifier
    /// The types for metadata 12 and 13; nil for a release whose networks need none.
    package var types: TypesTable?

    package init(networks: [Network], generalVerifier: Verifier, types: TypesTable? = nil) {
        self.networks = networks
        self.generalVerifier = generalVerifier
        self.types = types
    }

    /// The networks of this release (`signer-product` section 1.3), with metadata from which documentation is left out.
    ///
    public static func shipped() throws -> NetworkBundle { try shipped { _ in true } }

    /// The networks of this release, with the metadata that a payload can be about.
    ///
    /// A transaction is of one network: to read, check and store the metadata of the others takes longer than all else
    /// of a first look.
    ///
    /// - Parameter payload: of any kind; for what is not one transaction all metadata are there.
    public static func shipped(for payload: [UInt8]) throws -> NetworkBundle {
        guard case .transaction(let transaction)? = try? Payload(payload) else { return try shipped() }
        return try shipped { $0 == transaction.genesisHash }
    }

    static func shipped(metadataOf isWanted: (Hash256) -> Bool) throws -> NetworkBundle {
        let networks = [
            (
                try network(
                    "Polkadot", name: "polkadot", prefix: 0, decimals: 10, unit: "DOT", color: "#E6027A",
                    genesis: polkadotGenesis), ShippedFile.polkadot
            ),
            (
                try network(
                    "Kusama", name: "kusama", prefix: 2, decimals: 12, unit: "KSM", color: "#000",
                    genesis: kusamaGenesis), .kusama
            ),
            (
                try network(
                    "Westend", name: "westend", prefix: 42, decimals: 12, unit: "WND", color: "#660D35",
                    genesis: westendGenesis), .westend
            ),
            (
                try network(
                    "Polkadot Asset Hub", name: "statemint", prefix: 0, decimals: 10, unit: "DOT", color: "#000",
                    genesis: assetHubGenesis), .assetHub
            ),
        ]
        return NetworkBundle(
            networks: networks.map { specs, file in
                Network(specs: specs, metadata: isWanted(specs.genesisHash) ? [file.bytes] : [])
            }, generalVerifier: Verifier(.sr25519(generalVerifierKey)))
    }

    private static let polkadotGenesis = "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"
    private static let kusamaGenesis = "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe"
    private static let westendGenesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    private static let assetHubGenesis = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
    private static let generalVerifierKey: [UInt8] =
        Hex.decode("c46a22b9da19540a77cbde23197e5fd90485c72b4ecf3c599ecca6998f39bd57") ?? []

    private static func network(
        _ title: String, name: String, prefix: UInt16, decimals: UInt8, unit: String, color: String, genesis: String
    ) throws -> NetworkSpecs {
        guard let genesis = Hex.decode(genesis).flatMap({ Hash256($0) }) else {
            throw SignerError.networkNotFound(name)
        }
        return NetworkSpecs(
            base58Prefix: prefix, color: color, decimals: decimals, scheme: .sr25519, genesisHash: genesis, logo: name,
            name: name, pathID: "//\(name)", secondaryColor: "#262626", title: title, unit: unit)
    }
}
