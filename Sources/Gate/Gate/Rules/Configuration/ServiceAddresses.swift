internal import WebSocketFrames

/// The service behind the gate.
///
/// Source: `appattest-gate` section 3.6.
package struct Upstream: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case webSocket, tcp, telnet
        /// The gate's own echo, for tests.
        case echo
    }

    package enum Place: Equatable, Sendable {
        case host(String, port: Int)
        case unixSocket(String)
        case nowhere
    }

    package let kind: Kind
    package let isTLS: Bool
    package let place: Place
    /// The path and query of a WebSocket as they stand in the setting, `/` where there are none.
    package let target: String

    private static let schemes: [String: (kind: Kind, isTLS: Bool, port: Int?)] = [
        "ws": (.webSocket, false, 80), "wss": (.webSocket, true, 443), "tcp": (.tcp, false, nil),
        "tls": (.tcp, true, nil), "telnet": (.telnet, false, nil), "telnets": (.telnet, true, nil),
    ]

    /// The longest path of a Unix socket that SwiftNIO takes, on all systems: as long as one may be on Apple's.
    static let maximumPathBytes = 103
}

extension Upstream {
    package init?(_ text: String) {
        if text == "echo:" {
            self.init(kind: .echo, isTLS: false, place: .nowhere, target: "/")
            return
        }
        if text.hasPrefix("unix:/") {
            let path = String(text.dropFirst(5))
            guard path.utf8.count <= Self.maximumPathBytes else { return nil }
            self.init(kind: .webSocket, isTLS: false, place: .unixSocket(path), target: "/")
            return
        }
        guard let mark = text.firstRange(of: "://"),
            let scheme = Self.schemes[ASCIIText.lowercased(text[..<mark.lowerBound])],
            text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
        else { return nil }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        guard let (host, port) = HostAndPort.read(authority, defaultPort: scheme.port),
            scheme.kind == .webSocket || target.isEmpty || target == "/"
        else { return nil }
        self.init(
            kind: scheme.kind, isTLS: scheme.isTLS, place: .host(host, port: port),
            target: target.isEmpty ? "/" : target.hasPrefix("?") ? "/" + target : String(target))
    }
}

/// Where the operator's own listener is.
package enum AdminPlace: Equatable, Sendable {
    case off
    case host(String, port: Int)
    case unixSocket(String)

    package init?(_ text: String) {
        if text == "off" {
            self = .off
        } else if text.hasPrefix("unix:/") {
            self = .unixSocket(String(text.dropFirst(5)))
        } else if let (host, port) = HostAndPort.read(text[...], defaultPort: nil) {
            self = .host(host, port: port)
        } else {
            return nil
        }
    }
}

/// An address written as `host:port`, with IPv6 addresses in brackets.
enum HostAndPort {
    static func read(_ text: Substring, defaultPort: Int?) -> (host: String, port: Int)? {
        let afterHost: Substring
        let host: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[..<end].dropFirst()
            guard host.contains(":"), IPAddress(host) != nil else { return nil }
            afterHost = text[text.index(after: end)...]
        } else {
            host = text.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy(isInHost) else { return nil }
            afterHost = text[host.endIndex...]
        }
        if afterHost.isEmpty { return defaultPort.map { (String(host), $0) } }
        guard afterHost.hasPrefix(":"), afterHost.utf8.count <= 6, let port = ASCIIText.number(afterHost.dropFirst()),
            1...65_535 ~= port
        else { return nil }
        return (String(host), port)
    }

    static func isLoopback(_ host: String) -> Bool {
        IPAddress(host).map(\.isLoopback) ?? HeaderTokens.isEqual(host, to: "localhost")
    }

    private static func isInHost(_ byte: UInt8) -> Bool {
        let letter = ASCIIText.lowercased(byte)
        return ASCIIText.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
            || Array("-._".utf8).contains(byte)
    }
}
