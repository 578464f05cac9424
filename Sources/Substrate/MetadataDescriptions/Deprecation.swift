import Substrate

/// What metadata 16 says of a part that should no longer be used.
package enum Deprecation: Hashable, Sendable {
    case notDeprecated
    case deprecatedWithoutNote
    /// - Parameter since: the version of the runtime or the crate, if it is told.
    case deprecated(note: String, since: String?)
}

/// The deprecation of single variants of a pallet's calls, events or errors, by variant index.
package struct VariantDeprecation: Hashable, Sendable {
    package let variantIndex: UInt8
    package let deprecation: Deprecation
}

extension BlobCursor {
    /// Reads a deprecation; metadata before 16 deprecates nothing.
    mutating func deprecation(version: UInt8) throws(MetadataFault) -> Deprecation {
        guard version >= 16 else { return .notDeprecated }
        switch try checkIndex(below: 3, kind: "deprecation") {
        case 0: return .notDeprecated
        case 1: return .deprecatedWithoutNote
        default: return .deprecated(note: try name(), since: try optionalName())
        }
    }
}
