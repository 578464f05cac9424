import TextForms

/// A chain that this program knows by its genesis hash: which relay chain it belongs to, and what its token is in XCM.
///
/// Names and ids of parachains are those of the registers of Polkadot's and Kusama's relay chains (`polkadot-sdk` and
/// `polkadot-fellows/runtimes`, the constants `system_parachain`); genesis hashes are what the chains answer for block
/// 0.
struct KnownChain: Hashable, Sendable {
    let genesis: Hash256
    let relay: Relay
    /// nil for the relay chain itself.
    let parachain: UInt32?

    /// A relay chain, whose token and form of addresses its system parachains share.
    enum Relay: String, CaseIterable, Hashable, Sendable {
        case polkadot = "Polkadot"
        case kusama = "Kusama"
        case westend = "Westend"

        /// SS58 prefix of the addresses.
        var prefix: UInt16 {
            switch self {
            case .polkadot: 0
            case .kusama: 2
            case .westend: 42
            }
        }

        var genesis: String {
            switch self {
            case .polkadot: "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"
            case .kusama: "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe"
            case .westend: "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
            }
        }

        fileprivate var assetHubGenesis: String {
            switch self {
            case .polkadot: "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
            case .kusama: "48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a"
            case .westend: "67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9"
            }
        }

        /// What people call a parachain; nil for one that this program does not know.
        func name(ofParachain id: UInt32) -> String? {
            switch (self, id) {
            case (_, 1000): "\(rawValue) Asset Hub"
            case (.polkadot, 1001), (.westend, 1001): "\(rawValue) Collectives"
            case (.kusama, 1001): "Encointer"
            case (_, 1002): "\(rawValue) Bridge Hub"
            case (_, 1004): "\(rawValue) People"
            case (_, 1005): "\(rawValue) Coretime"
            case (.polkadot, 2000): "Acala"
            case (.polkadot, 2004): "Moonbeam"
            case (.polkadot, 2006): "Astar"
            case (.polkadot, 2030): "Bifrost"
            case (.polkadot, 2034): "Hydration"
            case (.kusama, 2000): "Karura"
            case (.kusama, 2007): "Shiden"
            case (.kusama, 2023): "Moonriver"
            default: nil
            }
        }

        /// The bytes that accounts on a parachain have; nil where that is not known, or some are taken in both forms.
        func accountLength(ofParachain id: UInt32) -> Int? {
            if Self.isSystem(parachain: id) { return 32 }
            return switch name(ofParachain: id) {
            case "Moonbeam", "Moonriver": 20
            default: nil
            }
        }

        /// Whether a parachain has the relay chain's form of addresses: those that its governance runs.
        static func isSystem(parachain id: UInt32) -> Bool { (1000..<2000).contains(id) }
    }

    /// SS58 prefix of its addresses.
    var prefix: UInt16 { relay.prefix }

    /// Where the chain's own token stands, as the chain sees it.
    var nativeToken: Location { Location(parents: parachain == nil ? 0 : 1, interior: []) }

    /// The pallet that keeps assets under a number, by its place in the chain's calls.
    func assetsPallet(_ instance: UInt8) -> String? {
        parachain == Self.assetHub && instance == 50 ? "Assets" : nil
    }

    private static let assetHub: UInt32 = 1000

    static func withGenesis(_ hash: Hash256) -> KnownChain? { byGenesis[hash] }

    private static let byGenesis: [Hash256: KnownChain] = {
        var chains: [Hash256: KnownChain] = [:]
        for relay in Relay.allCases {
            for (genesis, parachain) in [(relay.genesis, nil), (relay.assetHubGenesis, assetHub)] {
                guard let hash = Hex.decode(genesis).flatMap({ Hash256($0) }) else { continue }
                chains[hash] = KnownChain(genesis: hash, relay: relay, parachain: parachain)
            }
        }
        return chains
    }()
}
