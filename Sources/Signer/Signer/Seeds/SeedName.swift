/// The rules for a seed's name (`signer-product` section 3.2).
enum SeedName {
    static let limit = 64
    /// Bytes of UTF-8: what one length byte of the seed file can say.
    static let byteLimit = 255

    /// The name as it is stored: without blanks at the ends.
    static func checked(_ name: String) throws(SignerError) -> String {
        let scalars = name.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw .emptySeedName }
        let trimmed = String(scalars[first...last])
        guard trimmed.count <= limit, trimmed.utf8.count <= byteLimit,
            trimmed.unicodeScalars.allSatisfy({ $0 != "," && $0.properties.generalCategory != .control })
        else { throw .seedNameInvalid }
        return trimmed
    }
}
