/// What a field starts, for records.
///
/// Source: `forcefield` sections 4 and 15.
public struct ProgramRecord: Hashable, Sendable {
    /// The path of the executable, as it was resolved.
    public let path: String
    /// SHA-256 of the executable, if it was asked for.
    public let digest: [UInt8]?
    /// Capabilities that are granted.
    public let capabilities: [String]
}
