import AppAttestClient
import NIOSSL

/// A gate as its clients see it.
package struct TrialGate: HTTPTransport {
    package let host: String
    package let port: Int
    /// The path of the WebSocket.
    package let path: String
    private let tls: NIOSSLContext?

    /// The authorities that a client trusts, and the certificate that it shows.
    package struct Certificates: Sendable {
        /// PEM of the authorities; nil: the system's.
        package var authorities: String?
        /// Paths of PEM files.
        package var client: (certificate: String, key: String)?

        package init(authorities: String? = nil, client: (certificate: String, key: String)? = nil) {
            self.authorities = authorities
            self.client = client
        }
    }

    /// - Parameter address: `https://host:port`, `wss://host:port/path`, or the same without TLS.
    package init(_ address: String, _ certificates: Certificates = Certificates()) throws {
        guard let mark = address.firstRange(of: "://") else { throw TrialFailure.badAddress(address) }
        let isTLS: Bool
        switch address[..<mark.lowerBound] {
        case "https", "wss": isTLS = true
        case "http", "ws": isTLS = false
        default: throw TrialFailure.badAddress(address)
        }
        let rest = address[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let colon = authority.lastIndex(of: ":")
        let port = colon.map { Int(authority[authority.index(after: $0)...]) } ?? (isTLS ? 443 : 80)
        let host = authority[..<(colon ?? authority.endIndex)]
        guard let port, 1...65_535 ~= port, !host.isEmpty else { throw TrialFailure.badAddress(address) }
        self.host = String(host)
        self.port = port
        path = authority.endIndex == rest.endIndex ? "/" : String(rest[authority.endIndex...])
        tls = isTLS ? try Self.context(certificates) : nil
    }

    private static func context(_ certificates: Certificates) throws -> NIOSSLContext {
        var settings = TLSConfiguration.makeClientConfiguration()
        do {
            if let authorities = certificates.authorities {
                settings.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorities.utf8)))
            }
            if let client = certificates.client {
                settings.certificateChain = try NIOSSLCertificate.fromPEMFile(client.certificate).map {
                    .certificate($0)
                }
                settings.privateKey = .privateKey(try NIOSSLPrivateKey(file: client.key, format: .pem))
            }
            return try NIOSSLContext(configuration: settings)
        } catch {
            throw TrialFailure.certificates("\(error)")
        }
    }

    /// - Parameter first: what is sent as soon as there is a connection.
    package func open(sending first: [UInt8] = []) async throws -> TrialConnection {
        // A name, not an address, is what TLS asks for.
        let isName = host.contains { $0.isLetter } && !host.contains(":")
        return try await TrialConnection.open(
            host: host, port: port, tls: tls, serverName: isName ? host : nil, sending: first)
    }

    package static func head(
        _ method: String, at path: String, host: String, fields: [(name: String, value: String)]
    ) -> [UInt8] {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// One request on a connection of its own.
    package func request(
        _ method: String, at path: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) async throws -> HTTPReply {
        let length = body.map { [("Content-Length", "\($0.count)")] } ?? []
        let connection = try await open(
            sending: Self.head(method, at: path, host: "\(host):\(port)", fields: fields + length) + (body ?? []))
        let (reply, _) = try await connection.reply(hasBody: method != "HEAD")
        await connection.close()
        return reply
    }

    package func send(_ request: GateRequest) async throws -> GateAnswer {
        let type = request.body == nil ? [] : [("Content-Type", "application/json")]
        let reply = try await self.request(
            request.method, at: request.path, fields: request.fields.map { ($0.key, $0.value) } + type,
            body: request.body)
        return GateAnswer(
            status: reply.status, retryAfter: reply["retry-after"].first.flatMap { Int($0) }.map { .seconds($0) },
            body: reply.body)
    }
}

extension TrialConnection {
    /// Reads an answer to its end.
    ///
    /// - Returns: the answer, and what came behind it.
    package func reply(hasBody: Bool = true) async throws -> (HTTPReply, rest: [UInt8]) {
        var bytes: [UInt8] = []
        var reply: HTTPReply?
        while true {
            if reply == nil { reply = try HTTPReply.head(takingFrom: &bytes) }
            if var reply, reply.status == 101 || !hasBody || bytes.count >= reply.contentLength {
                guard reply.status != 101, hasBody else { return (reply, bytes) }
                reply.body = Array(bytes.prefix(reply.contentLength))
                return (reply, Array(bytes.dropFirst(reply.contentLength)))
            }
            guard case .bytes(let more) = await receive() else { throw TrialFailure.cutShort }
            bytes += more
        }
    }
}
