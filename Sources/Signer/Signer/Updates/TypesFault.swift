import Substrate

/// What is wrong with a table of types, though it decodes.
///
/// Source: `signer-product` section 2.4.
public enum TypesFault: Hashable, Sendable {
    /// A name has two meanings, and readers differ in which of them counts.
    case doubled(name: String)
    /// A name has more bytes than the limit.
    case nameTooLong(limit: Int)
}

extension TypesFault: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .doubled(let name): "the type \(name) stands in it twice"
        case .nameTooLong(let limit): "the name of a type has more than \(limit) bytes"
        }
    }
}

extension TypesTable {
    /// As many bytes as the text of a type may have (`signer-wire` section 6.3).
    static let nameLimit = 1024

    /// What is wrong with the table, if anything is.
    var fault: TypesFault? {
        // Bytes, as names are compared: two forms of one character are two names.
        var names: Set<[UInt8]> = []
        for entry in entries {
            guard entry.name.utf8.count <= Self.nameLimit else { return .nameTooLong(limit: Self.nameLimit) }
            guard names.insert(Array(entry.name.utf8)).inserted else { return .doubled(name: entry.name) }
        }
        return nil
    }
}
