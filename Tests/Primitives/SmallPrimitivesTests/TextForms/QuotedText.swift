/// Reads quoted text back, as a person would by the rules in the documentation of `ForeignText`.
enum QuotedText {
    /// - Returns: nil for what those rules do not write.
    static func read(_ quoted: String) -> String? {
        guard quoted.unicodeScalars.count >= 2, quoted.hasPrefix("\""), quoted.unicodeScalars.last == "\"" else {
            return nil
        }
        var rest = quoted.unicodeScalars.dropFirst().dropLast()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                guard scalar != "\"" else { return nil }
                text.append(scalar)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            switch escape {
            case "\"", "\\": text.append(escape)
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "u":
                guard let scalar = argument(&rest).flatMap({ UInt32($0, radix: 16) }).flatMap(Unicode.Scalar.init)
                else { return nil }
                text.append(scalar)
            case "{":
                rest.insert("{", at: rest.startIndex)
                guard let words = argument(&rest)?.split(separator: " "), words.count == 2, words[1] == "spaces",
                    let count = Int(words[0])
                else { return nil }
                text.append(contentsOf: repeatElement(" ", count: count))
            default: return nil
            }
        }
        return String(text)
    }

    /// What stands between braces.
    private static func argument(_ rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }
}
