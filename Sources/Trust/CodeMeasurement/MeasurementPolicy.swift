/// What a process is asked for.
public struct MeasurementPolicy: Sendable {
    /// What the memory map may show.
    public var map: MapPolicy
    /// The levels among L2 to L5 that are taken. The others are the caller's. L2 is taken with each of them: where code
    /// lies, and some of the rules of behaviour, are known by the map alone.
    public var levels: Levels
    /// Rules of the product, besides ``BehaviourRule/builtIn``.
    public var profile: BehaviourProfile
    /// Whether the process holds keys, so that ``BehaviourRule/vault`` is kept as well.
    public var holdsKeys: Bool
    /// Looks further at a library of the system that only root may change, in every look: at its content. Nil where
    /// those are enough.
    public var examineExternal: (@Sendable (_ path: String, _ key: FileKey) -> ExternalFile)?
    /// SHA-256, for `cmdline.sha256`; without it rules about that fail.
    public var digest: (@Sendable ([UInt8]) -> [UInt8])?

    /// A policy; without arguments, the usual one for a process that holds no keys.
    public init(
        map: MapPolicy = MapPolicy(), levels: Levels = [.mapShape, .codePages, .behaviour],
        profile: BehaviourProfile = .empty, holdsKeys: Bool = false, digest: (@Sendable ([UInt8]) -> [UInt8])? = nil
    ) {
        self.map = map
        self.levels = levels
        self.profile = profile
        self.holdsKeys = holdsKeys
        self.digest = digest
    }

    /// Whether a level is taken that is known by the map.
    var needsMap: Bool { !levels.isDisjoint(with: [.mapShape, .codePages, .contents, .behaviour]) }

    /// The rules in the order in which they are checked.
    var rules: [BehaviourRule] {
        BehaviourRule.builtIn + (holdsKeys ? BehaviourRule.vault : []) + profile.rules
    }
}
