/// What a vault lets pass of what a network detector finds. Stored among the settings, which are in the clear and which
/// the sealed inventory vouches for; a vault without the row is ``strict``.
///
/// Source: `signer-product` section 5.
public struct NetworkAllowance: Equatable, Sendable {
    /// Whether radios that are not blocked are a notice only.
    public var ignoresRadios: Bool
    /// Whether a USB cable to a host that uses this machine as its device is a notice only.
    public var ignoresGadgets: Bool
    /// Whether secrets are used although the machine is, or was, connected.
    public var allowsNetwork: Bool

    /// Nothing passes.
    public static let strict = NetworkAllowance()

    public init(ignoresRadios: Bool = false, ignoresGadgets: Bool = false, allowsNetwork: Bool = false) {
        self.ignoresRadios = ignoresRadios
        self.ignoresGadgets = ignoresGadgets
        self.allowsNetwork = allowsNetwork
    }

    /// What it lets pass, by the names of the options that set it; empty for nothing.
    public var names: [String] {
        zip(Self.all, [ignoresRadios, ignoresGadgets, allowsNetwork]).filter(\.1).map(\.0)
    }

    /// By the names of the options that set it, each once at the most.
    ///
    /// - Returns: nil where one of them is none.
    package init?(names: [String]) {
        self.init(
            ignoresRadios: names.contains(Self.all[0]), ignoresGadgets: names.contains(Self.all[1]),
            allowsNetwork: names.contains(Self.all[2]))
        guard Set(names).isSubset(of: Self.all), Set(names).count == names.count else { return nil }
    }

    /// The names of all that can be let pass.
    package static let all = ["ignore-radios", "ignore-gadgets", "network-allowed"]

    /// Its line in the log.
    var entry: Event {
        .systemEntry("network policy: \(names.isEmpty ? "strict" : names.joined(separator: ", "))")
    }

    private static let key = Array("network_policy".utf8)

    static func read(_ trees: some TreeReader) throws -> NetworkAllowance {
        guard let value = try trees.value(.settings, key) else { return .strict }
        guard value.count == 1, (1...7).contains(value[0]) else {
            throw SignerError.databaseDamaged(.row(tree: Tree.settings.rawValue, key: hexText(key)))
        }
        return NetworkAllowance(
            ignoresRadios: value[0] & 1 != 0, ignoresGadgets: value[0] & 2 != 0, allowsNetwork: value[0] & 4 != 0)
    }

    func write(to trees: MutableTrees) throws {
        let value: UInt8 = (ignoresRadios ? 1 : 0) | (ignoresGadgets ? 2 : 0) | (allowsNetwork ? 4 : 0)
        // A strict vault looks like one that was never told.
        guard value != 0 else { return try trees.remove(.settings, Self.key) }
        try trees.put(.settings, key: Self.key, value: [value])
    }
}
