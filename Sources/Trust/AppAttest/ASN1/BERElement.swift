/// One element of ASN.1 in its encoding, as slices of the bytes that were read.
struct BERElement: Sendable {
    let tag: BERTag
    /// The content, without the mark that ends an indefinite length.
    let content: ArraySlice<UInt8>
    /// The whole element, with tag and length.
    let encoded: ArraySlice<UInt8>
}

/// The class, form and number of an element.
struct BERTag: Hashable, Sendable {
    enum Class: UInt8, Sendable { case universal, application, contextSpecific, privateUse }

    let tagClass: Class
    let isConstructed: Bool
    let number: UInt32

    static let integer = BERTag.universal(2)
    static let bitString = BERTag.universal(3)
    static let octetString = BERTag.universal(4)
    static let octetStringInPieces = BERTag(tagClass: .universal, isConstructed: true, number: 4)
    static let objectIdentifier = BERTag.universal(6)
    static let sequence = BERTag(tagClass: .universal, isConstructed: true, number: 16)
    static let set = BERTag(tagClass: .universal, isConstructed: true, number: 17)

    private static func universal(_ number: UInt32) -> BERTag {
        BERTag(tagClass: .universal, isConstructed: false, number: number)
    }

    /// The tag `[number]` around another element.
    static func explicit(_ number: UInt32) -> BERTag {
        BERTag(tagClass: .contextSpecific, isConstructed: true, number: number)
    }
}

/// Which encodings are read.
enum BERRules: Sendable {
    /// Basic rules: indefinite lengths, and lengths with leading zeros, are allowed too.
    case basic
    /// Distinguished rules: definite lengths in their shortest form alone.
    case distinguished
}

/// Why bytes are not ASN.1 as it was asked for. `offset` counts from the first of those that the reader was given.
struct BERError: Error, Equatable, Sendable, CustomStringConvertible {
    let offset: Int
    let reason: String

    var description: String { "at byte \(offset): \(reason)" }
}
