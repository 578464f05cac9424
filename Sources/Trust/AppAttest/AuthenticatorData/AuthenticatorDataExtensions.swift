/// What the system says about the running app (iOS 27, macOS 27 and later). Older systems say nothing.
///
/// Source: `appattest-gate` section 1.4.
public struct AuthenticatorDataExtensions: Hashable, Sendable {
    /// How the app was launched and signed.
    public internal(set) var category: ValidationCategory?
    /// The version of the running bundle, 1 to 128 bytes of UTF-8.
    public internal(set) var bundleVersion: String?
    /// The hash of the running code directory, 1 to 64 bytes.
    public internal(set) var codeDirectoryHash: [UInt8]?
    /// The type of that hash; 2 is SHA-256. There is one exactly where there is a hash.
    package internal(set) var codeDirectoryHashType: UInt8?
    /// Keys that have no meaning here, in their order.
    package internal(set) var other: [String] = []

    /// The extensions of data that has none.
    init() {}

    /// Reads a map that takes up all of `tail`.
    init(encoded tail: ArraySlice<UInt8>) throws(MalformedAuthenticatorData) {
        let item: CBORItem
        do { item = try CBORDecoder.item(tail) } catch { throw .cbor(in: "its extensions", error) }
        guard let entries = item.entries else { throw .reason("its extensions are no map") }
        // Apple's text gives short names to what devices send by the long ones.
        let categoryKey: StaticString =
            entries[Key.category] == nil ? Key.shortCategory : Key.category
        let versionKey: StaticString =
            entries[Key.bundleVersion] == nil ? Key.shortBundleVersion : Key.bundleVersion
        for entry in entries {
            let key = entry.key
            if key.isText(categoryKey) {
                category = try Self.category(entry.value)
            } else if key.isText(versionKey) {
                bundleVersion = try Self.version(entry.value)
            } else if key.isText(Key.codeHash) {
                codeDirectoryHash = try Self.bytes(entry.value, count: 1...64, name: "code directory hash")
            } else if key.isText(Key.codeHashType) {
                codeDirectoryHashType =
                    try Self.bytes(entry.value, count: 1...1, name: "type of the code directory hash").first
            } else if let text = key.textString {
                other.append(String(decoding: text, as: UTF8.self))
            } else {
                throw .reason("the key of an extension is not text")
            }
        }
        guard (codeDirectoryHash == nil) == (codeDirectoryHashType == nil) else {
            throw .reason("a code directory hash and its type come together or not at all")
        }
    }

    private enum Key {
        static let category: StaticString = "apple_validation_category_01"
        static let shortCategory: StaticString = "validationCategory"
        static let bundleVersion: StaticString = "apple_bundle_version_01"
        static let shortBundleVersion: StaticString = "bundleVersion"
        static let codeHash: StaticString = "apple_cd_hash_hash_01"
        static let codeHashType: StaticString = "apple_cd_hash_type_01"
    }

    /// Four bytes, least significant first, as devices send it, or an integer, as Apple's text has it.
    private static func category(_ item: CBORItem) throws(MalformedAuthenticatorData) -> ValidationCategory {
        switch item {
        case .bytes(let bytes) where bytes.count == 4:
            return ValidationCategory(rawValue: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
        case .unsigned(let number) where number <= UInt32.max:
            return ValidationCategory(rawValue: UInt32(number))
        default:
            throw .reason("its validation category is neither four bytes nor an integer of 32 bits")
        }
    }

    private static func version(_ item: CBORItem) throws(MalformedAuthenticatorData) -> String {
        guard case .text(let text) = item, (1...128).contains(text.count) else {
            throw .reason("its bundle version is not text of 1 to 128 bytes")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(
        _ item: CBORItem, count: ClosedRange<Int>, name: String
    ) throws(MalformedAuthenticatorData) -> [UInt8] {
        guard case .bytes(let bytes) = item, count.contains(bytes.count) else {
            throw .reason("its \(name) has another form")
        }
        return Array(bytes)
    }
}
