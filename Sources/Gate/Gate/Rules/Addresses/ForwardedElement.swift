internal import WebSocketFrames

/// The elements of a `Forwarded` header (RFC 7239): what each says in `for`.
enum ForwardedElement {
    /// - Returns: for each element the node of its one `for` parameter; nil where the element breaks the syntax or has
    ///   none.
    static func list(_ value: String) -> [Substring?] {
        var elements: [Substring?] = []
        for element in split(value[...], at: UInt8(ascii: ",")) { elements.append(node(element)) }
        return elements
    }

    private static func node(_ element: Substring) -> Substring? {
        var node: Substring?
        for pair in split(element, at: UInt8(ascii: ";")) {
            let pair = ASCIIText.trimmed(pair)
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), HeaderTokens.isToken(pair[..<equals]),
                let value = value(pair[pair.index(after: equals)...])
            else { return nil }
            if HeaderTokens.isEqual(pair[..<equals], to: "for") {
                guard node == nil else { return nil }
                node = value
            }
        }
        return node
    }

    /// Reads a token or a quoted string without escapes: no address needs one.
    private static func value(_ text: Substring) -> Substring? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return HeaderTokens.isToken(text) ? text : nil }
        let inner = ASCIIText.dropping(first: 1, last: 1, text)
        guard text.utf8.count >= 2, text.utf8.last == UInt8(ascii: "\""),
            !inner.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        else { return nil }
        return inner
    }

    /// Splits outside quotes. An unfinished quote reaches to the end, and is then refused as a value.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case separator where !isQuoted:
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            default: break
            }
        }
        return parts + [text[start...]]
    }
}
