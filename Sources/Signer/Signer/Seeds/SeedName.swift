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

    /// What a name looks like, in Latin letters where there are some that look the same (UTS 39, section 4).
    static func skeleton(_ name: String) -> String {
        var skeleton = ""
        for character in CompatibilityDecomposition.of(name) {
            let letter = latinTwins[character] ?? character
            skeleton.append(narrowTwins[letter] ?? letter)
        }
        return skeleton
    }

    /// What a name looks like, without regard to case: letters may have a twin in one case alone.
    static func forms(_ name: String) -> Set<String> {
        [skeleton(name).lowercased(), skeleton(name.lowercased())]
    }

    /// What is told apart in few faces.
    private static let narrowTwins: [Character: Character] = ["1": "l", "I": "l", "0": "O"]

    private static let latinTwins: [Character: Character] = [
        // Cyrillic
        "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j", "ѕ": "s", "һ": "h",
        "ԁ": "d", "ԛ": "q", "ԝ": "w", "ѵ": "v", "г": "r", "к": "k", "п": "n", "А": "A", "В": "B", "Е": "E", "К": "K",
        "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "У": "Y", "Х": "X", "І": "I", "Ј": "J", "Ѕ": "S",
        "Ӏ": "I", "Ѵ": "V", "Ԛ": "Q", "Ԝ": "W",
        // Greek
        "α": "a", "γ": "y", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "υ": "u", "χ": "x", "ω": "w", "ϲ": "c",
        "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "O", "Ρ": "P",
        "Τ": "T", "Υ": "Y", "Χ": "X",
    ]
}
