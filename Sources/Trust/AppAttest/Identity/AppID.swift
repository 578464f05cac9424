/// The identity of an app: its App ID prefix (normally the team's), a full stop, and the bundle identifier;
/// case-sensitive.
///
/// On macOS the code signing identifier stands in the place of the bundle identifier. Source: `appattest-gate` section
/// 1.3.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
    /// The App ID as it is hashed into authenticator data, for example `ABCDE12345.com.example.app`.
    public let description: String

    /// How many characters a bundle identifier has at most.
    static let maximumBundleCharacters = 155

    /// Returns nil unless the text is ten characters of `A-Z0-9`, a full stop and 1 to 155 characters of
    /// `A-Za-z0-9._-`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > 11, bytes.count <= 11 + Self.maximumBundleCharacters, bytes[10] == UInt8(ascii: "."),
            bytes[..<10].allSatisfy(Self.isTeamCharacter), bytes[11...].allSatisfy(Self.isBundleCharacter)
        else { return nil }
        description = text
    }

    /// An App ID from its parts; nil if one is not as it has to be.
    ///
    /// - Parameters:
    ///   - teamID: ten characters of `A-Z0-9`.
    ///   - bundleID: 1 to 155 characters of `A-Za-z0-9._-`. (Apple's own sample has an underscore, as code signing
    ///     identifiers may.)
    public init?(teamID: String, bundleID: String) { self.init("\(teamID).\(bundleID)") }

    private static func isTeamCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private static func isBundleCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: isTeamCharacter(byte)
        }
    }
}
