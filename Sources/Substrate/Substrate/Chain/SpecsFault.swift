import TextForms

/// What is wrong with the record of a network, though it decodes: its texts are shown to people and name files and
/// paths. Vaults take no such record, and the connected side makes none.
///
/// Source: `signer-product` section 2.1.
public enum SpecsFault: Hashable, Sendable {
    /// A text that has to be there is empty.
    case empty(Field)
    /// A text has more bytes than the limit.
    case tooLong(Field, limit: Int)
    /// The name has other characters than small letters, digits, hyphens and underscores.
    case name
    /// A text has characters that are not seen, or that change the direction of others.
    case controlCharacters(Field)
    /// A text is written as the genesis of a network, perhaps of another.
    case genesis(Field)
    /// A text has letters of several alphabets, some of which look alike.
    case mixedAlphabets(Field)
    /// The proposed path is malformed, not composed (NFC), or has a password.
    case path
    /// The token has more decimal places than an amount has digits.
    case decimals(UInt8)
    /// SS58 has no such prefix.
    case prefix(UInt16)

    /// A text of a record.
    public enum Field: String, Sendable {
        /// The name of the runtime.
        case name
        /// What people see.
        case title
        /// The symbol of the token.
        case unit
        /// The name of the logo.
        case logo
        /// A colour.
        case color
    }
}

extension SpecsFault: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .empty(let field): "its \(field.rawValue) is empty"
        case .tooLong(let field, let limit): "its \(field.rawValue) has more than \(limit) bytes"
        case .name: "its name has other characters than a-z, 0-9, hyphens and underscores"
        case .controlCharacters(let field): "its \(field.rawValue) has invisible or control characters"
        case .genesis(let field): "its \(field.rawValue) is written as the genesis of a network"
        case .mixedAlphabets(let field): "its \(field.rawValue) has letters of several alphabets, which look alike"
        case .path: "the path that it proposes for keys is malformed or has a password"
        case .decimals(let decimals): "\(decimals) decimal places are more than 38"
        case .prefix(let prefix): "\(prefix) is no prefix of addresses: they go to 16383, without 46 and 47"
        }
    }
}

extension NetworkSpecs {
    static let textLimit = 256
    static let mostDecimals: UInt8 = 38

    /// What is wrong with the record, if anything is.
    package var fault: SpecsFault? {
        if name.isEmpty { return .empty(.name) }
        if title.isEmpty { return .empty(.title) }
        let texts: [(SpecsFault.Field, String)] = [
            (.name, name), (.title, title), (.unit, unit), (.logo, logo), (.color, color), (.color, secondaryColor),
        ]
        for (field, text) in texts where text.utf8.count > Self.textLimit {
            return .tooLong(field, limit: Self.textLimit)
        }
        guard name.utf8.allSatisfy(Self.nameCharacters.contains) else { return .name }
        for (field, text) in [(SpecsFault.Field.name, name), (.title, title)] where Self.genesis(in: text) != nil {
            return .genesis(field)
        }
        for (field, text) in texts where HiddenText.hides(text) || text.utf8.contains(where: { $0 < 0x20 }) {
            return .controlCharacters(field)
        }
        for (field, text) in [(SpecsFault.Field.title, title), (.unit, unit)] where !WritingSystem.isSingle(in: text) {
            return .mixedAlphabets(field)
        }
        guard pathID.utf8.count <= Self.pathLimit, DerivationText.split(pathID).password == nil,
            DerivationText.isComposed(pathID),
            (try? DerivationPath(parsing: pathID)) != nil
        else { return .path }
        guard decimals <= Self.mostDecimals else { return .decimals(decimals) }
        // Accounts of Ethereum are not written as SS58.
        guard SS58.isPrefix(base58Prefix) || scheme == .ethereum else { return .prefix(base58Prefix) }
        return nil
    }

    private static let pathLimit = 1024
    /// What is itself in the names of files and in paths. Runtimes have names with an underscore too, such as
    /// `bifrost_polkadot`, which the specification leaves out.
    private static let nameCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The genesis that a text is written as: 64 hex digits, with or without `0x` in front and `/` with more behind.
    package static func genesis(in text: String) -> Hash256? {
        text.split(separator: "/", omittingEmptySubsequences: false).first.flatMap { Hex.decode($0) }
            .flatMap { Hash256($0) }
    }
}
