import BasicFoundation

/// The property list by which the design's first version knew the code of both sides:
/// ``Manifest/combinedTextDigest(of:architecture:)`` without any signature. For version 1 of the protocol alone.
///
/// Source: `vigil` section 6.1.
package struct ExpectedHashes: Hashable, Sendable {
    static let sizeLimit = 64 * 1024

    package let app: Bytes32?
    package let validator: Bytes32?

    /// Reads an XML property list with `app_text_hash` and `validator_text_hash`, each 64 lower-case hex digits.
    ///
    /// - Throws: ``VigilError``: `storageCorrupted`.
    package init(parsing file: [UInt8]) throws(VigilError) {
        // The other two forms of property lists begin otherwise.
        guard file.count <= Self.sizeLimit, file.first == UInt8(ascii: "<"),
            let list = try? PropertyListDecoder().decode([String: String].self, from: Data(file))
        else {
            throw VigilError(.storageCorrupted, "ExpectedHashes.plist is no property list of texts. Make it again.")
        }
        app = try Self.digest("app_text_hash", in: list)
        validator = try Self.digest("validator_text_hash", in: list)
    }

    private static func digest(_ name: String, in list: [String: String]) throws(VigilError) -> Bytes32? {
        guard let text = list[name] else { return nil }
        do throws(JSONFieldError) {
            return try JSONFields([name: .string(text)]).digest(name)
        } catch {
            throw VigilError(.storageCorrupted, "ExpectedHashes.plist: \(error). Make it again with vigil-hash-tool.")
        }
    }
}
