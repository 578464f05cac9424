import StrictJSON

/// How a network writes addresses and counts its token, by what a node answers to `system_properties`.
///
/// Source: `signer-wire` section 8.4.
public struct TokenProperties: Hashable, Sendable {
    /// A token as a person names it where the network has several.
    public struct Token: Hashable, Sendable {
        /// Decimal places.
        public var decimals: UInt8
        /// The symbol of the token, as DOT.
        public var unit: String

        /// Makes it of its parts.
        public init(decimals: UInt8, unit: String) {
            self.decimals = decimals
            self.unit = unit
        }

        /// What stands for no token, or for none of several.
        static let unknown = Token(decimals: 0, unit: "UNIT")
    }

    /// The prefix of the network's addresses.
    public let base58Prefix: UInt16
    /// What amounts are counted in: `UNIT` without decimals where there is none, or none of several was named.
    public let token: Token

    /// - Parameters:
    ///   - properties: the object that the node gives.
    ///   - metadataPrefix: the prefix that the metadata state, if they do.
    ///   - override: the token that a person has named.
    public init(
        _ properties: JSON, metadataPrefix: UInt16?, override: Token? = nil
    ) throws(PropertiesFault) {
        try self.init(properties, metadataPrefix: metadataPrefix, override: override, known: nil)
    }

    /// - Parameter known: the token of the network's record, where there is one: a person has named it before, and need
    ///   not again.
    init(
        _ properties: JSON, metadataPrefix: UInt16?, override: Token?, known: Token?
    ) throws(PropertiesFault) {
        base58Prefix = try Self.prefix(properties, metadataPrefix)
        token = try Self.token(properties, override: override, known: known)
    }

    private static func prefix(_ properties: JSON, _ stated: UInt16?) throws(PropertiesFault) -> UInt16 {
        guard let value = properties.given("ss58Format") else {
            guard let stated else { throw .noBase58Prefix }
            return stated
        }
        guard let prefix = value.integer.flatMap({ UInt16(exactly: $0) }) else { throw .base58PrefixFormatNotSupported }
        guard stated == nil || stated == prefix else { throw .base58PrefixMismatch }
        return prefix
    }

    private static func token(
        _ properties: JSON, override: Token?, known: Token?
    ) throws(PropertiesFault) -> Token {
        let decimals = try list("tokenDecimals", of: properties, or: .decimalsFormatNotSupported) {
            $0.integer.flatMap { UInt8(exactly: $0) }
        }
        let units = try list("tokenSymbol", of: properties, or: .unitFormatNotSupported) { $0.string }
        switch (decimals.count, units.count) {
        case (0, 0):
            guard override == nil else { throw .overrideIgnoredNone }
            return .unknown
        case (0, _): throw .unitNoDecimals
        case (_, 0): throw .decimalsNoUnit
        case (1, 1):
            guard override == nil else { throw .overrideIgnoredSingle }
            return Token(decimals: decimals[0], unit: units[0])
        case (_, 1): throw .decimalsArrayUnitsNot
        case (1, _): throw .unitsArrayDecimalsNot
        case (let count, let other) where count == other: return override ?? known ?? .unknown
        default: throw .decimalsUnitsArrayLength
        }
    }

    /// A scalar counts as a list of one.
    private static func list<T>(
        _ name: String, of properties: JSON, or fault: PropertiesFault, _ read: (JSON) -> T?
    ) throws(PropertiesFault) -> [T] {
        guard let value = properties.given(name) else { return [] }
        var list: [T] = []
        for item in value.array ?? [value] {
            guard let item = read(item) else { throw fault }
            list.append(item)
        }
        return list
    }
}

extension JSON {
    /// The member of that name; nil also for `null`.
    func given(_ name: String) -> JSON? { self[name].flatMap { $0 == .null ? nil : $0 } }
}
