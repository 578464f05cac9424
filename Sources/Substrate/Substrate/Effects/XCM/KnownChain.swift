import TextForms

/// A chain that this program knows by its genesis hash: which relay chain it belongs to, and what its token is in XCM.
///
/// Names and ids of parachains are those of the registers of Polkadot's and Kusama's relay chains (`polkadot-sdk` and
/// `polkadot-fellows/runtimes`, the constants `system_parachain`); genesis hashes are what the chains answer for block
/// 0, as several public lists have them.
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
            case (.kusama, 2001): "Bifrost"
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

    /// SS58 prefix of its addresses; nil for a chain that has one of its own, which other places say.
    var prefix: UInt16? { isOfRelay ? relay.prefix : nil }

    /// Where the chain's own token stands, as the chain sees it; nil where that is not known.
    var nativeToken: Location? { isOfRelay ? Location(parents: parachain == nil ? 0 : 1, interior: []) : nil }

    /// The bytes that its accounts have; nil where some are taken in both forms.
    var accountLength: Int? { parachain.map { relay.accountLength(ofParachain: $0) } ?? 32 }

    /// Whether it is the relay chain, or one that has its token and form of addresses.
    private var isOfRelay: Bool { parachain.map(Relay.isSystem) ?? true }

    /// The pallet that keeps assets under a number, by its place in the chain's calls.
    func assetsPallet(_ instance: UInt8) -> String? {
        parachain == Self.assetHub && instance == 50 ? "Assets" : nil
    }

    private static let assetHub: UInt32 = 1000

    static func withGenesis(_ hash: Hash256) -> KnownChain? { byGenesis[hash] }

    /// Parachains beside the asset hubs, by their ids.
    private static let others: [(relay: Relay, parachain: UInt32, genesis: String)] = [
        (.polkadot, 1001, "46ee89aa2eedd13e988962630ec9fb7565964cf5023bb351f2b6b25c1b68b0b2"),
        (.polkadot, 1002, "dcf691b5a3fbe24adc99ddc959c0561b973e329b1aef4c4b22e7bb2ddecb4464"),
        (.polkadot, 1004, "67fa177a097bfa18f77ea95ab56e9bcdfeb0e5b8a40e46298bb93e16b6fc5008"),
        (.polkadot, 1005, "efb56e30d9b4a24099f88820987d0f45fb645992416535d87650d98e00f46fc4"),
        (.polkadot, 2000, "fc41b9bd8ef8fe53d58c7ea67c794c7ec9a73daf05e6d54b14ff6342c99ba64c"),
        (.polkadot, 2004, "fe58ea77779b7abda7da4ec526d14db9b1e9cd40a217c34892af80a9b332b76d"),
        (.polkadot, 2006, "9eb76c5184c4ab8679d2d5d819fdf90b9c001403e9e17da2e14b6d8aec4029c6"),
        (.polkadot, 2030, "262e1b2ad728475fd6fe88e62d34c200abe6fd693931ddad144059b1eb884e5b"),
        (.polkadot, 2034, "afdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d"),
        (.kusama, 1001, "7dd99936c1e9e6d1ce7d90eb6f33bea8393b4bf87677d675aa63c9cb3e8c5b5b"),
        (.kusama, 1002, "00dcb981df86429de8bbacf9803401f09485366c44efbf53af9ecfab03adc7e5"),
        (.kusama, 1004, "c1af4cb4eb3918e5db15086c0cc5ec17fb334f728b7c65dd44bfe1e174ff8b3f"),
        (.kusama, 1005, "638cd2b9af4b3bb54b8c1f0d22711fc89924ca93300f0caf25a580432b29d050"),
        (.kusama, 2001, "9f28c6a68e0fc9646eff64935684f6eeeece527e37bbe1f213d22caa1d9d6bed"),
        (.kusama, 2023, "401a1f9dca3da46f5c4091016c8a2f26dcea05865116b286f60f668207d1474b"),
        (.westend, 1002, "0441383e31d1266a92b4cb2ddd4c2e3661ac476996db7e5844c52433b81fe782"),
        (.westend, 1004, "1eb6fb0ba5187434de017a70cb84d4f47142df1d571d0ef9e7e1407f2b80b93c"),
    ]

    private static let byGenesis: [Hash256: KnownChain] = {
        var chains: [Hash256: KnownChain] = [:]
        func add(_ relay: Relay, _ parachain: UInt32?, genesis: String) {
            guard let hash = Hex.decode(genesis).flatMap({ Hash256($0) }) else { return }
            chains[hash] = KnownChain(genesis: hash, relay: relay, parachain: parachain)
        }
        for relay in Relay.allCases {
            add(relay, nil, genesis: relay.genesis)
            add(relay, assetHub, genesis: relay.assetHubGenesis)
        }
        for chain in others { add(chain.relay, chain.parachain, genesis: chain.genesis) }
        return chains
    }()
}
