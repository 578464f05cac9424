import BasicFoundation
import Crypto
import TextForms

/// Makes the tokens by which Apple's server knows a team: JWTs signed with ES256.
///
/// Source: `appattest-gate` section 1.7; RFC 7515.
public struct AppleServiceToken: Sendable {
    /// Why no tokens can be made.
    public enum SetupError: Error, Hashable, Sendable {
        /// It is not PEM of a P-256 key in PKCS #8, the form of Apple's `.p8` files.
        case keyUnreadable
        /// The name of the key or of the team is not 10 characters of `A-Z0-9`.
        case badIdentifier
    }

    private let header: String
    private let teamID: String
    private let key: P256.Signing.PrivateKey

    /// Makes tokens with a key of the team.
    ///
    /// - Parameters:
    ///   - privateKeyPEM: the `.p8` file of a key with the DeviceCheck service.
    ///   - keyID: 10 characters, as Apple names the key.
    ///   - teamID: 10 characters.
    public init(privateKeyPEM: String, keyID: String, teamID: String) throws(SetupError) {
        guard Self.isIdentifier(keyID), Self.isIdentifier(teamID) else { throw .badIdentifier }
        do { key = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM) } catch { throw .keyUnreadable }
        header = Base64.encodeForURL(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        self.teamID = teamID
    }

    /// The value of the `Authorization` header, without any word before it.
    ///
    /// - Parameter now: when it is made; Apple takes it for a while.
    public func token(at now: Date) throws -> String {
        let claims = Base64.encodeForURL(Array(#"{"iss":"\#(teamID)","iat":\#(UTCTimestamp(now).seconds)}"#.utf8))
        let signed = "\(header).\(claims)"
        let signature = try key.signature(for: Array(signed.utf8))
        return "\(signed).\(Base64.encodeForURL(signature.rawRepresentation))"
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
