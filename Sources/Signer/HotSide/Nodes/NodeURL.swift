import BasicFoundation

/// The address of a node: a WebSocket (`ws`, `wss`) or plain requests (`http`, `https`).
///
/// Names and passwords in an address are not taken: it is stored, shown and logged.
public struct NodeURL: Hashable, Sendable {
    /// How a node is talked to.
    public enum Transport: Hashable, Sendable { case webSocket, http }

    /// The address as it was given.
    public let text: String
    /// How it is talked to.
    public let transport: Transport
    /// Whether the connection is protected by TLS.
    public let isEncrypted: Bool
    /// The host, without the brackets of an IPv6 address.
    public let host: String
    /// The port; that of the scheme where none is given.
    public let port: Int
    /// Path and query, which begin with a slash.
    public let path: String

    /// Characters of an address at the most.
    private static let limit = 1024

    /// - Parameters:
    ///   - text: the address.
    ///   - allowsPlain: whether a connection without TLS may lead to another machine.
    /// - Throws: ``NodeError/badAddress(_:reason:)``, ``NodeError/plainConnection(host:)``.
    public init(_ text: String, allowsPlain: Bool = false) throws(NodeError) {
        guard text.utf8.count <= Self.limit, let url = URLComponents(string: text), let scheme = url.scheme,
            let encodedHost = url.encodedHost, !encodedHost.isEmpty
        else { throw .badAddress(text, reason: "it is no address of a node") }
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), let host = Self.host(encodedHost) else {
            throw .badAddress(
                text, reason: "it has what no address has; other letters are xn-- in a host, and %C3 in a path")
        }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw .badAddress(text, reason: "names, passwords and fragments are not taken in an address")
        }
        switch scheme.lowercased() {
        case "wss": (transport, isEncrypted) = (.webSocket, true)
        case "ws": (transport, isEncrypted) = (.webSocket, false)
        case "https": (transport, isEncrypted) = (.http, true)
        case "http": (transport, isEncrypted) = (.http, false)
        default: throw .badAddress(text, reason: "it begins with none of wss://, https://, ws://, http://")
        }
        let port = url.port ?? (isEncrypted ? 443 : 80)
        guard 1...65_535 ~= port else { throw .badAddress(text, reason: "\(port) is no port") }
        self.text = text
        self.host = host
        self.port = port
        let path = url.percentEncodedPath
        self.path = (path.isEmpty ? "/" : path) + (url.percentEncodedQuery.map { "?" + $0 } ?? "")
        guard isEncrypted || allowsPlain || isLocal else { throw .plainConnection(host: self.host) }
    }

    /// A host as it is asked for.
    ///
    /// - Parameter encoded: a name, or an IPv6 address in brackets, whose zone stands behind `%25`.
    /// - Returns: nil for what neither a name nor an address is written with: which of that is taken for what differs
    ///   between readers of addresses.
    private static func host(_ encoded: String) -> String? {
        let isAddress = encoded.hasPrefix("[") && encoded.hasSuffix("]")
        let host = isAddress ? encoded.dropFirst().dropLast() : encoded[...]
        let others = isAddress ? "-._:%" : "-._"
        guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }) else { return nil }
        return isAddress ? String(host.replacing("%25", with: "%", maxReplacements: 1)) : String(host)
    }

    /// Whether the host is this machine.
    private var isLocal: Bool {
        host == "localhost" || host == "::1"
            || host.hasPrefix("127.") && host.split(separator: ".").count == 4
                && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Host and port as they stand in a request.
    var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? host : "\(host):\(port)"
    }
}
