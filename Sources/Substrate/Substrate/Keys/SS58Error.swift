/// Why text is not an SS58 address, in the order in which it is checked (`substrate-crypto` section 10).
public enum SS58Error: Error, Equatable, Sendable {
    /// A character that Base58 does not have, or more than 64.
    case badBase58
    /// The decoded bytes are not prefix, 32 or 33 bytes, and check sum.
    case badLength
    /// The first byte stands for no prefix.
    case invalidPrefix
    /// Prefixes 46 and 47 are reserved.
    case formatNotAllowed
    /// A prefix below 64 written in two bytes.
    case nonCanonicalPrefix
    /// The checksum does not fit: the address was mistyped.
    case invalidChecksum
    /// The address is of another network.
    case wrongPrefix(expected: UInt16, found: UInt16)
    /// Encoding: SS58 has prefixes below 16384.
    case prefixOutOfRange(UInt16)
}

extension SS58Error: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .badBase58: "The address has a character that addresses do not have, or is too long."
        case .badLength: "The address has the wrong length; is a part missing?"
        case .invalidPrefix: "The address does not begin as an address does."
        case .formatNotAllowed: "The address has a reserved prefix (46 or 47)."
        case .nonCanonicalPrefix: "The address writes its network prefix in a form that is not allowed."
        case .invalidChecksum: "The address has a typing error: its check sum does not fit."
        case .wrongPrefix(let expected, let found): "The address is of network prefix \(found), not \(expected)."
        case .prefixOutOfRange(let prefix): "Network prefix \(prefix) cannot be written as an SS58 address."
        }
    }
}
