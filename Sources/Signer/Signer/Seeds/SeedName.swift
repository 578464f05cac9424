import Foundation
import TextForms

/// The rules for a seed's name (`signer-product` section 3.2).
package enum SeedName {
    static let limit = 64
    /// Bytes of UTF-8: what one length byte of the seed file can say.
    static let byteLimit = 255

    /// The name as it is stored: without blanks at the ends.
    static func checked(_ name: String) throws -> String {
        let scalars = name.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw SignerError.emptySeedName }
        let trimmed = String(scalars[first...last])
        // What a screen would have to escape does not show as what it is.
        guard trimmed.count <= limit, trimmed.utf8.count <= byteLimit, !trimmed.contains(","),
            ScreenText.escape(trimmed) == trimmed
        else { throw SignerError.seedNameInvalid }
        guard Set(trimmed.unicodeScalars.compactMap(Alphabet.init)).count < 2 else {
            throw SignerError.seedNameMixesAlphabets
        }
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

    /// Alphabets whose letters look like one another's.
    private enum Alphabet {
        case latin, greek, cyrillic

        /// - Returns: nil for everything but their letters.
        init?(_ scalar: Unicode.Scalar) {
            guard scalar.properties.isAlphabetic else { return nil }
            switch scalar.value {
            case 0x41...0x5a, 0x61...0x7a, 0xaa, 0xba, 0xc0...0x2af, 0x1e00...0x1eff, 0x2c60...0x2c7f, 0xa720...0xa7ff,
                0xff21...0xff5a:
                self = .latin
            case 0x370...0x3ff, 0x1f00...0x1fff: self = .greek
            case 0x400...0x52f, 0x1c80...0x1c8f, 0x2de0...0x2dff, 0xa640...0xa69f: self = .cyrillic
            default: return nil
            }
        }
    }

    /// What a name looks like, in Latin letters where there are some that look the same (UTS 39, section 4).
    static func skeleton(_ name: String) -> String {
        var skeleton = ""
        for character in name.precomposedStringWithCompatibilityMapping {
            skeleton.append(latinTwins[character] ?? character)
        }
        return skeleton
    }

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
