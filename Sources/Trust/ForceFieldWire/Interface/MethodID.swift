/// What a request names its method by: FNV-1a 32 of the method's name. Capabilities are named in the same way.
///
/// Source: `forcefield` section 11.
public struct MethodID: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(name: String) { rawValue = FNV1a.hash32(name.utf8) }
}
