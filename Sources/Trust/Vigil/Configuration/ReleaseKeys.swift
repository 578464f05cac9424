import CReleaseKeys
import Cryptography
import TextForms

/// The keys that a build trusts for manifests, and how many of them have to have signed.
///
/// A text that cannot be read is an error, and is not taken for a missing one: else a program that was meant to have
/// keys compiled in would trust the configuration.
///
/// Source: `vigil` section 6.1.
public struct ReleaseKeys: Hashable, Sendable {
    /// The keys of this program.
    public static let compiledIn = ReleaseKeys(
        keys: String(cString: casemate_release_keys()), threshold: String(cString: casemate_release_threshold()))

    private let keys, threshold: String

    /// - Parameters:
    ///   - keys: X9.63 in hex, separated by commas; empty for none.
    ///   - threshold: in decimal; empty for one.
    init(keys: String, threshold: String) {
        self.keys = keys
        self.threshold = threshold
    }

    /// - Returns: nil in a build without any: then the configuration has to name them, in files that are as safe as the
    ///   program.
    /// - Throws: ``ConfigurationError`` for anything that is there and is not what it should be.
    package func trusted() throws(ConfigurationError) -> TrustedKeys? {
        guard !keys.isEmpty || !threshold.isEmpty else { return nil }
        var parsed: [PublicKey] = []
        for (index, text) in keys.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            guard let key = Hex.decode(text).flatMap({ PublicKey(x963: $0) }),
                P256PublicKey(x963: key.x963) != nil
            else {
                throw Self.error("key \(index + 1) of CASEMATE_RELEASE_KEYS is no P-256 point in X9.63, 130 hex digits")
            }
            parsed.append(key)
        }
        guard let needed = threshold.isEmpty ? 1 : Int(threshold), let trusted = TrustedKeys(parsed, threshold: needed)
        else {
            throw Self.error(
                "CASEMATE_RELEASE_THRESHOLD is \(threshold), where 1 to \(Set(parsed).count) keys can be asked for")
        }
        return trusted
    }

    private static func error(_ reason: String) -> ConfigurationError {
        ConfigurationError("the release keys of this program are malformed: \(reason). Build it again")
    }
}
