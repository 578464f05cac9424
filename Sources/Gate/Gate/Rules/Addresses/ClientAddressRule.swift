internal import NIOHTTP1

/// Whose address counts as the client's where proxies stand before the gate.
///
/// Source: `appattest-gate` section 3.8.
struct ClientAddressRule: Sendable {
    /// Which header of a trusted proxy is read.
    enum Source: String, Sendable, CaseIterable {
        case forwardedFor = "x-forwarded-for"
        case realIP = "x-real-ip"
        /// The header `Forwarded` (RFC 7239).
        case forwarded
    }

    let trusted: AddressSet
    let source: Source

    /// - Parameter peer: of the socket, or of the PROXY preamble.
    /// - Returns: the peer itself unless it is trusted. Otherwise the rightmost address in the header that is not
    ///   trusted; what is no address ends the search at the one found before it.
    func client(peer: IPAddress, headers: HTTPHeaders) -> IPAddress {
        guard trusted.contains(peer) else { return peer }
        switch source {
        case .forwardedFor:
            return walk(headers["x-forwarded-for"], from: peer) { Self.entries($0).map(Self.address) }
        case .forwarded:
            return walk(headers["forwarded"], from: peer) {
                ForwardedElement.list($0).map { $0.flatMap(Self.address) }
            }
        case .realIP:
            guard case .one(let value) = headers.single("x-real-ip") else { return peer }
            return IPAddress(ASCIIText.trimmed(value[...])) ?? peer
        }
    }

    private func walk(
        _ values: [String], from peer: IPAddress, addresses: (String) -> [IPAddress?]
    ) -> IPAddress {
        var client = peer
        for value in values.reversed() {
            for address in addresses(value).reversed() {
                guard let address else { return client }
                client = address
                guard trusted.contains(address) else { return client }
            }
        }
        return client
    }

    private static func entries(_ value: String) -> [Substring] {
        value.split(separator: ",", omittingEmptySubsequences: false).map(ASCIIText.trimmed)
    }

    /// An address, with or without a port; IPv6 in brackets where there is a port.
    static func address(_ text: Substring) -> IPAddress? {
        if text.utf8.first == UInt8(ascii: "[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")), isPort(text[text.index(after: end)...]) else {
                return nil
            }
            let inner = text[text.index(after: text.startIndex)..<end]
            return inner.utf8.contains(UInt8(ascii: ":")) ? IPAddress(inner) : nil
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        guard colons == 1, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return IPAddress(text) }
        return isPort(text[colon...]) ? IPAddress(text[..<colon]) : nil
    }

    /// Whether nothing or a colon and a port stand there.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.utf8.first == UInt8(ascii: ":") && text.utf8.count <= 6
                && ASCIIText.number(ASCIIText.dropping(first: 1, text)).map { $0 <= 65_535 } == true
    }
}
