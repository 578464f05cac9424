import AppAttest
import BigEndian
import Crypto

/// Authenticator data of an attestation or an assertion. nil stands for what is right.
public struct AuthenticatorDataRecipe: Sendable {
    /// The App ID whose hash stands first.
    public var appID: String
    /// The hash of the App ID, 32 bytes.
    public var rpIDHash: [UInt8]?
    /// The byte of flags.
    public var flags: UInt8?
    /// The counter of signatures.
    public var signCount: UInt32
    /// The extensions as encoded CBOR, normally a map.
    public var extensions: MintedCBOR?
    /// Bytes in place of all authenticator data.
    package var bytes: [UInt8]?

    package init(appID: AppID, signCount: UInt32) {
        self.appID = appID.description
        self.signCount = signCount
    }

    /// The extensions that a device on iOS 27 adds.
    public static func runningApp(
        category: ValidationCategory, bundleVersion: String, codeHash: [UInt8]? = nil
    ) -> MintedCBOR {
        var entries: [(key: MintedCBOR, value: MintedCBOR)] = [
            (.text("apple_bundle_version_01"), .text(bundleVersion)),
            (
                .text("apple_validation_category_01"),
                .bytes([UInt8](bigEndian: category.rawValue).reversed())
            ),
        ]
        if let codeHash {
            entries.append((.text("apple_cd_hash_hash_01"), .bytes(codeHash)))
            entries.append((.text("apple_cd_hash_type_01"), .bytes([2])))
        }
        return .map(entries)
    }

    /// - Parameter credential: AAGUID, identifier and key, which attestations have.
    func encoded(credential: [UInt8] = []) -> [UInt8] {
        if let bytes { return bytes }
        return (rpIDHash ?? Array(SHA256.hash(data: Array(appID.utf8))))
            + [flags ?? (extensions == nil ? 0x40 : 0xc0)]
            + [UInt8](bigEndian: signCount) + credential + (extensions?.encoded ?? [])
    }
}
