/// Which paths lead to the upstream.
struct PathRule: Equatable, Sendable {
    /// A path, or the beginning of paths.
    enum Pattern: Hashable, Sendable {
        case exact(String)
        /// All paths that begin so, with the slash that ends it.
        case prefix(String)

        /// Reads `/path` or `/prefix/*`.
        init?(_ text: String) {
            guard text.utf8.first == UInt8(ascii: "/"), text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
                !text.contains("?"), !text.contains("#")
            else { return nil }
            let isPrefix = text.hasSuffix("/*")
            let path = isPrefix ? String(text.dropLast()) : text
            guard !path.contains("*"), PathRule.isPlain(path[...]) else { return nil }
            self = isPrefix ? .prefix(path) : .exact(path)
        }
    }

    /// The patterns of paths that are let through; empty for all paths.
    let allowed: [Pattern]

    init(allowed: [Pattern] = []) { self.allowed = allowed }

    /// Where there is a list, a path that an upstream might read as another one is on no list.
    func allows(_ path: Substring) -> Bool { allowed.isEmpty || lists(path) }

    /// Whether someone who asks there without an upgrade is told that an upgrade is needed.
    func names(_ path: Substring) -> Bool { allowed.isEmpty ? path == "/" : lists(path) }

    private func lists(_ path: Substring) -> Bool {
        Self.isPlain(path)
            && allowed.contains { pattern in
                switch pattern {
                case .exact(let exact): path == exact
                case .prefix(let prefix): path.utf8.starts(with: prefix.utf8)
                }
            }
    }

    /// Whether no segment is empty (but the last) or dots alone, and no slash, backslash or dot hides behind an escape.
    ///
    /// What stands behind a semicolon is no part of a segment for those (Tomcat, Jetty) that take parameters off before
    /// they look at dots (RFC 3986 section 3.3): to them `..;x` is `..`.
    static func isPlain(_ path: Substring) -> Bool {
        let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            guard let bytes = unescaped(segment), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x2f && $0 != 0x5c }) else {
                return false
            }
            let name = bytes.prefix { $0 != 0x3b }
            guard !name.isEmpty || (bytes.isEmpty && index == segments.count - 1), name != [0x2e], name != [0x2e, 0x2e]
            else { return false }
        }
        return true
    }

    private static func unescaped(_ segment: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = segment
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(), high != UInt8(ascii: "+"),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return bytes
    }
}
