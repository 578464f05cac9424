internal import NIOHTTP1

/// An origin as browsers send it: a scheme, a host, and a port that is not the scheme's own.
struct Origin: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// Returns nil for anything but `scheme://host[:port]`, with at most a slash behind it.
    init?(_ text: some StringProtocol) {
        var text = Substring(text)
        if text.utf8.last == UInt8(ascii: "/") { text = ASCIIText.dropping(first: 0, last: 1, text) }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8)
        else {
            return nil
        }
        let scheme = ASCIIText.lowercased(text[..<colon])
        let authority = ASCIIText.lowercased(ASCIIText.dropping(first: 3, text[colon...]))
        guard !scheme.isEmpty, scheme.utf8.allSatisfy(Self.isInScheme),
            let host = Self.host(of: authority, scheme: scheme)
        else {
            return nil
        }
        description = "\(scheme)://\(host)"
    }

    /// - Returns: the authority without the port that its scheme means anyway.
    private static func host(of authority: String, scheme: String) -> String? {
        guard authority.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !notInHosts.contains($0) }) else { return nil }
        let behindBrackets = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        guard let colon = authority[behindBrackets...].utf8.lastIndex(of: UInt8(ascii: ":")) else {
            return authority.isEmpty ? nil : authority
        }
        let host = authority[..<colon]
        guard !host.isEmpty, let port = ASCIIText.number(ASCIIText.dropping(first: 1, authority[colon...])),
            port <= 65_535,
            host.utf8.first == UInt8(ascii: "[") || !host.utf8.contains(UInt8(ascii: ":"))
        else { return nil }
        let ownPort = ["http": 80, "ws": 80, "https": 443, "wss": 443][scheme]
        return port == ownPort ? String(host) : "\(host):\(port)"
    }

    private static let notInHosts = Array("/\\?#@,*".utf8)

    private static func isInScheme(_ byte: UInt8) -> Bool {
        ASCIIText.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || Array("+-.".utf8).contains(byte)
    }
}

/// Which origins a browser may come from. It hardens browsers; it authenticates nobody.
///
/// Source: `appattest-gate` section 3.9.
struct OriginRule: Equatable, Sendable {
    /// The origins that are let in; empty for every origin, and for requests without one.
    let allowed: Set<Origin>
    let allowsMissing: Bool

    init(allowed: Set<Origin> = [], allowsMissing: Bool = false) {
        self.allowed = allowed
        self.allowsMissing = allowsMissing
    }

    func allows(_ headers: HTTPHeaders) -> Bool {
        guard !allowed.isEmpty else { return true }
        switch headers.single("origin") {
        case .absent: return allowsMissing
        case .one(let text): return Origin(text).map(allowed.contains) == true
        case .several: return false
        }
    }
}
