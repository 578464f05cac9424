/// What a request names its method by: FNV-1a 32 of the method's name. Capabilities are named in the same way.
///
/// Source: `forcefield` section 11.
package struct MethodID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(name: String) { rawValue = FNV1a.hash32(name.utf8) }
}
