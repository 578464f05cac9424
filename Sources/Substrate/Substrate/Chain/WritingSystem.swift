/// The writing system that a letter belongs to, by the first word of its name in Unicode: `CYRILLIC SMALL LETTER A`.
///
/// A name in letters of one system, with digits and marks that belong to all, is what it looks like as far as one can
/// tell without tables of look-alikes: a letter of another system is what imitates it (UTS 39, section 5).
package enum WritingSystem {
    /// Whether the letters of a text are of one writing system, or of some that are written together: Latin with
    /// Chinese, Japanese or Korean.
    package static func isSingle(in text: String) -> Bool {
        // Letters in another dress, as full width, are letters of their system.
        let systems = Set(CompatibilityDecomposition.of(text).unicodeScalars.compactMap(of))
        return systems.count < 2 || together.contains { systems.isSubset(of: $0) }
    }

    /// UTS 39, section 5.2, "highly restrictive".
    private static let together: [Set<String>] = [
        ["LATIN", "CJK", "HIRAGANA", "KATAKANA"], ["LATIN", "CJK", "BOPOMOFO"], ["LATIN", "CJK", "HANGUL"],
    ]

    /// First words of the names of letters that all systems use.
    private static let common: Set<String> = [
        "MODIFIER", "COMBINING", "MICRO", "FEMININE", "MASCULINE", "KATAKANA-HIRAGANA", "IDEOGRAPHIC",
    ]

    /// - Returns: nil for everything that is no letter, and for letters of all systems.
    private static func of(_ scalar: Unicode.Scalar) -> String? {
        guard scalar.properties.isAlphabetic || scalar.properties.generalCategory == .otherLetter else { return nil }
        if scalar.isASCII { return "LATIN" }
        guard let name = scalar.properties.name else { return scalar.properties.isIdeographic ? "CJK" : "UNKNOWN" }
        let word = String(name.prefix { $0 != " " && $0 != "-" })
        return common.contains(word) || name.hasPrefix("KATAKANA-HIRAGANA") ? nil : word
    }
}
