import AppAttest
import AppAttestTestKit
import Crypto
import Foundation
import NIOSSL
import TestSupport
import Testing

@testable import Gate

/// A server that plays Apple's service for receipts, over TLS and under Apple's names. The test itself answers.
struct ReceiptSite {
    static let hosts = ["data.appattest.apple.com", "data-development.appattest.apple.com"]

    let teamKey = P256.Signing.PrivateKey()
    let place: ReceiptServicePlace
    private let server: RawServer
    private let files: TemporaryFolder
    private let keyPath: String

    /// - Parameters:
    ///   - hosts: that its certificate is for.
    ///   - timeout: no test waits for the usual one.
    init(
        hosts: [String] = Self.hosts, authorities: Certificates? = nil, timeout: Duration = .seconds(300)
    ) async throws {
        files = try TemporaryFolder()
        let own = try Certificates()
        let issued = try own.issue("Apple", hosts: hosts)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(issued.certificate.utf8)).map {
                .certificate($0)
            }, privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(issued.key.utf8), format: .pem)))
        tls.applicationProtocols = ["http/1.1"]
        server = try await RawServer.start(tls: tls)
        place = ReceiptServicePlace(
            host: "127.0.0.1", port: server.port, authoritiesPEM: try (authorities ?? own).authorityPEM,
            timeout: timeout)
        keyPath = try files.write(teamKey.pemRepresentation, to: "AuthKey.p8")
    }

    /// The settings of a gate that asks here.
    var settings: [String: String] {
        ["RISK_REFRESH": "true", "RISK_KEY_PATH": keyPath, "RISK_KEY_ID": "KEY1234567"]
    }

    /// A gate that has these keys and asks here.
    func gate(_ keys: [AttestedKey], _ changes: [String: String] = [:]) async throws -> ServerSite {
        try await ServerSite(settings.merging(changes) { $1 }, keys: keys, receiptService: place)
    }

    struct Question {
        let client: RawClient
        let start: String
        let fields: [String: String]
        let body: String

        func answer(_ status: String, _ body: String, _ more: [String] = []) async throws {
            let fields = ["Content-Length: \(body.utf8.count)"] + more
            try await client.send("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)")
        }
    }

    /// The next question that is asked.
    func question() async throws -> Question {
        let client = try await server.next()
        let head = try await client.readHead()
        let fields = Dictionary(head.fields.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        let count = try #require(fields["Content-Length"].flatMap { Int($0) })
        return Question(
            client: client, start: head.start, fields: fields,
            body: String(decoding: try await client.read(count: count), as: UTF8.self))
    }

    /// What Apple would answer for a key, in Base64.
    static func receipt(
        of device: Device, risk: Int, _ environment: AppAttestEnvironment = .production, kind: Receipt.Kind = .receipt
    ) throws -> String {
        let authority = try ServerSite.authority.get()
        let now = Date(milliseconds: ServerSite.now.milliseconds)
        let leaf = try authority.intermediate.issue(
            "leaf", key: device.key, constraints: .notAuthority, at: now)
        let recipe = ReceiptRecipe(
            kind: kind, appID: try #require(ServerSite.appID).description, attestedCertificate: leaf.certificate,
            clientHash: [0xef, 0xbf, 0xbd], environment: environment, creation: now, riskMetric: risk)
        return Data(try recipe.mint(by: authority)).base64EncodedString()
    }

    /// A receipt that may be exchanged now.
    static let due = StoredReceipt(bytes: Array("the old receipt".utf8), notBefore: 1_000)
}
