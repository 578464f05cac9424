/// The first part of a request, as the HTTP parser gives it.
public struct RequestHead: Sendable {
    public let method: String
    /// The target as it stands in the request line.
    public let target: String
    public let version: Version
    public let headers: HeaderFields

    public struct Version: Equatable, Sendable {
        public let major: Int
        public let minor: Int

        public init(major: Int, minor: Int) {
            self.major = major
            self.minor = minor
        }

        public static let http11 = Version(major: 1, minor: 1)
    }

    public init(method: String, target: String, version: Version = .http11, headers: HeaderFields) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
    }

    /// The target up to its query.
    public var path: Substring {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }
}

extension RequestHead {
    public static let maximumTargetBytes = 4_096
    /// The most bytes of all header fields, with what separates them.
    public static let maximumHeaderBytes = 16_384
    /// The most bytes of one header field.
    public static let maximumFieldBytes = 8_704
    public static let maximumFields = 100

    /// What makes a request one that two servers may read differently, or that has no place here. The
    /// answer closes the connection: where its next request begins is not known.
    ///
    /// Source: `appattest-gate` section 3.7.
    public var violation: Refusal? {
        guard target.utf8.count <= Self.maximumTargetBytes, hasRoomForHeaders else {
            return Refusal(.headersTooLarge).closing()
        }
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != 0x23 }) else {
            return malformed("target")
        }
        if let part = headers.malformedPart { return malformed(part) }
        return hostViolation ?? framingViolation
    }

    private var hasRoomForHeaders: Bool {
        guard headers.fields.count <= Self.maximumFields else { return false }
        var total = 0
        for field in headers.fields {
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
        case .absent: return version == .http11 ? malformed("Host") : nil
        case .several: return malformed("Host")
        }
    }

    private static let notInHosts = Array("/\\?#@,".utf8)

    private var framingViolation: Refusal? {
        switch (headers.single("content-length"), headers.single("transfer-encoding")) {
        case (.absent, .absent): return nil
        case (.one(let length), .absent):
            return ASCIIText.number(length) == nil ? malformed("Content-Length") : nil
        case (.absent, .one(let coding)):
            return version == .http11 && ASCIIText.areEqual(coding, "chunked") ? nil : malformed("Transfer-Encoding")
        case (.several, _): return malformed("Content-Length")
        default: return malformed("Transfer-Encoding")
        }
    }

    private func malformed(_ field: StaticString) -> Refusal { Refusal(.malformedHeader, field: field).closing() }

    /// The length of the body; nil for a body in chunks, 0 where there is none.
    var bodyLength: Int? {
        guard case .absent = headers.single("transfer-encoding") else { return nil }
        guard case .one(let length) = headers.single("content-length") else { return 0 }
        return ASCIIText.number(length)
    }

    /// Whether it asks to go on as a WebSocket, in whatever form: another protocol's name in `Upgrade` is no such wish.
    var wantsWebSocket: Bool {
        headers.tokens("upgrade").contains("websocket") || headers.contains("sec-websocket-key")
            || headers.contains("sec-websocket-version")
    }
}
