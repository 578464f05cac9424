import Substrate
import TextForms

/// The rules for a seed's name (`signer-product` section 3.2).
package enum SeedName {
    static let limit = 64
    /// Bytes of UTF-8: what one length byte of the seed file can say.
    static let byteLimit = 255

    /// The name as it is stored: without blanks at the ends.
    package static func checked(_ name: String) throws -> String {
        let scalars = name.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw SignerError.emptySeedName }
        let trimmed = String(scalars[first...last])
        // What a screen would have to escape does not show as what it is. Bytes: a comma may be one character with the
        // mark behind it, and separates names in the log all the same.
        guard trimmed.count <= limit, trimmed.utf8.count <= byteLimit, !trimmed.utf8.contains(UInt8(ascii: ",")),
            ScreenText.escape(trimmed) == trimmed
        else { throw SignerError.seedNameInvalid }
        guard WritingSystem.isSingle(in: trimmed) else { throw SignerError.seedNameMixesAlphabets }
        return trimmed
    }

    /// A name for what has a title, which may hold what a name cannot: the title without that, and no longer than names
    /// are.
    ///
    /// - Returns: nil where no name is left.
    package static func proposed(for title: String) -> String? {
        if let name = try? checked(title) { return name }
        var name = ""
        for character in title {
            let text = String(character)
            guard !text.utf8.contains(UInt8(ascii: ",")), ScreenText.escape(text) == text else { continue }
            guard name.count < limit, name.utf8.count + text.utf8.count <= byteLimit else { break }
            name.append(character)
        }
        return try? checked(name)
    }

    /// The name, which neither is nor looks like one of those that are there.
    package static func checked(_ name: String, besides names: some Sequence<String>) throws -> String {
        let name = try checked(name)
        let skeleton = skeleton(name)
        for other in names {
            guard other != name else { throw SignerError.seedNameTaken(name: name) }
            guard Self.skeleton(other) != skeleton else {
                throw SignerError.seedNameLookalike(name: name, other: other)
            }
        }
        return name
    }
}
