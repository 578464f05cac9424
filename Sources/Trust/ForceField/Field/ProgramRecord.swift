/// What a field starts, for records.
///
/// Source: `forcefield` sections 4 and 15.
package struct ProgramRecord: Hashable, Sendable {
    /// The path of the executable, as it was resolved.
    package let path: String
    /// SHA-256 of the executable, if it was asked for.
    package let digest: [UInt8]?
    /// Capabilities that are granted.
    package let capabilities: [String]
}
