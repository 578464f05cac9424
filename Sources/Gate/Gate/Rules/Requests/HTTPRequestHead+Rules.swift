internal import NIOHTTP1
internal import WebSocketFrames

extension HTTPRequestHead {
    /// The target up to its query.
    var path: Substring {
        uri.utf8.firstIndex(of: UInt8(ascii: "?")).map { uri[..<$0] } ?? uri[...]
    }

    static let maximumTargetBytes = 4_096
    /// The most bytes of all header fields, with what separates them.
    static let maximumHeaderBytes = 16_384
    /// The most bytes of one header field.
    static let maximumFieldBytes = 8_704
    static let maximumFields = 100

    /// What makes a request one that two servers may read differently, or that has no place here. The
    /// answer closes the connection: where its next request begins is not known.
    ///
    /// Source: `appattest-gate` section 3.7.
    var violation: Refusal? {
        guard uri.utf8.count <= Self.maximumTargetBytes, hasRoomForHeaders else {
            return Refusal(.headersTooLarge).closing()
        }
        guard uri.utf8.first == UInt8(ascii: "/"), uri.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != 0x23 }) else {
            return malformed("target")
        }
        if let part = headers.malformedPart { return malformed(part) }
        return hostViolation ?? framingViolation
    }

    private var hasRoomForHeaders: Bool {
        guard headers.count <= Self.maximumFields else { return false }
        var total = 0
        for field in headers {
            // A colon, a space and the end of the line.
            let bytes = field.name.utf8.count + field.value.utf8.count + 4
            guard bytes <= Self.maximumFieldBytes else { return false }
            total += bytes
        }
        return total <= Self.maximumHeaderBytes
    }

    private var hostViolation: Refusal? {
        switch headers.single("host") {
        case .one(let host):
            return host.utf8.allSatisfy { 0x21...0x7e ~= $0 && !Self.notInHosts.contains($0) } ? nil : malformed("Host")
        case .absent: return version == .http1_1 ? malformed("Host") : nil
        case .several: return malformed("Host")
        }
    }

    private static let notInHosts = Array("/\\?#@,".utf8)

    private var framingViolation: Refusal? {
        do throws(BodyFraming.MalformedField) {
            guard try BodyFraming.read(headers) == .chunked, version != .http1_1 else { return nil }
            return malformed("Transfer-Encoding")
        } catch {
            return malformed(error.name)
        }
    }

    private func malformed(_ field: StaticString) -> Refusal { Refusal(.malformedHeader, field: field).closing() }

    /// How the body is framed, where the head has no violation.
    var bodyFraming: BodyFraming { (try? BodyFraming.read(headers)) ?? .empty }

    /// Whether it asks to go on as a WebSocket, in whatever form: another protocol's name in `Upgrade` is no such wish.
    var wantsWebSocket: Bool {
        headers.lists("websocket", in: "upgrade") || headers.contains(name: "sec-websocket-key")
            || headers.contains(name: "sec-websocket-version")
    }
}
