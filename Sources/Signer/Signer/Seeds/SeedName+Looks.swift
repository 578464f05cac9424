import Substrate

/// What names look like. Those that look alike are one name to a person.
///
/// Source: `signer-product` section 3.2.
extension SeedName {
    /// What a name looks like, in Latin letters where there are some that look the same (UTS 39, section 4).
    static func skeleton(_ name: String) -> String {
        var skeleton = ""
        for character in CompatibilityDecomposition.of(name) {
            let letter = latinTwins[character] ?? character
            skeleton.append(narrowTwins[letter] ?? letter)
            if let whole = joined[String(skeleton.suffix(2))] {
                skeleton.replaceSubrange(skeleton.index(skeleton.endIndex, offsetBy: -2)..., with: whole)
            }
        }
        return skeleton
    }

    /// What a name looks like, without regard to case: letters may have a twin in one case alone, and some alphabets
    /// have one case.
    static func forms(_ name: String) -> Set<String> {
        let latin = String(CompatibilityDecomposition.of(name).map { latinTwins[$0] ?? $0 })
        return [skeleton(name), skeleton(name.lowercased()), skeleton(latin.lowercased())].reduce(into: []) {
            $0.insert($1.lowercased())
        }
    }

    /// What is told apart in few faces.
    private static let narrowTwins: [Character: Character] = ["1": "l", "I": "l", "0": "O"]

    /// Two letters that look like one.
    private static let joined = ["rn": "m", "vv": "w", "VV": "W", "cl": "d"]

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
        // Latin
        "ɑ": "a", "ɡ": "g", "ɩ": "i", "ı": "i", "ȷ": "j", "ǀ": "l", "Ɩ": "l", "ƅ": "b", "ʋ": "u", "ƿ": "p", "ɋ": "q",
        "ɼ": "r", "ʗ": "C", "ᴀ": "A", "ʙ": "B", "ᴄ": "c", "ᴅ": "D", "ᴇ": "E", "ɢ": "G", "ʜ": "H", "ɪ": "i", "ᴊ": "J",
        "ᴋ": "K", "ʟ": "L", "ᴍ": "M", "ɴ": "N", "ᴏ": "o", "ᴘ": "P", "ʀ": "R", "ꜱ": "s", "ᴛ": "T", "ᴜ": "u", "ᴠ": "v",
        "ᴡ": "w", "ʏ": "Y", "ᴢ": "z",
        // Lisu
        "ꓐ": "B", "ꓑ": "P", "ꓓ": "D", "ꓔ": "T", "ꓖ": "G", "ꓗ": "K", "ꓙ": "J", "ꓚ": "C", "ꓜ": "Z", "ꓝ": "F", "ꓟ": "M",
        "ꓠ": "N", "ꓡ": "L", "ꓢ": "S", "ꓣ": "R", "ꓦ": "V", "ꓧ": "H", "ꓪ": "W", "ꓫ": "X", "ꓬ": "Y", "ꓮ": "A", "ꓰ": "E",
        "ꓲ": "I", "ꓳ": "O", "ꓴ": "U",
        // Cherokee
        "Ꭰ": "D", "Ꭱ": "R", "Ꭲ": "T", "Ꭵ": "I", "Ꭺ": "A", "Ꭻ": "J", "Ꭼ": "E", "Ꮃ": "W", "Ꮇ": "M", "Ꮋ": "H", "Ꮍ": "Y",
        "Ꮐ": "G", "Ꮓ": "Z", "Ꮢ": "R", "Ꮤ": "W", "Ꮥ": "S", "Ꮩ": "V", "Ꮪ": "S", "Ꮮ": "L", "Ꮯ": "C", "Ꮲ": "P", "Ꮶ": "K",
        "Ᏼ": "B",
        // Armenian
        "օ": "o", "ո": "n", "ս": "u", "հ": "h", "ց": "g", "զ": "q", "Օ": "O", "Ս": "U", "Տ": "S", "Ո": "N",
    ]
}
