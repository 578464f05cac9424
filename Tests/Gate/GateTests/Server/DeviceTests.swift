import AppAttest
import AppAttestTestKit
import Crypto
import Foundation
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("Devices, asked about at Apple's", .timeLimit(.minutes(30)))
struct DeviceTests {
    private static let hosts = AppAttestEnvironment.allCases.map { DeviceCheck.host(of: $0) }
    private static let token = Array("a token of DeviceCheck".utf8)

    private func settings(_ apple: ReceiptSite, _ policy: String) -> [String: String] {
        apple.settings.merging(["RISK_REFRESH": "false", "DEVICECHECK": policy]) { $1 }
    }

    /// Registers a device with a token that its attestation covers.
    private func register(_ device: Device, in site: ServerSite) async throws -> Reply {
        let nonce = try await site.nonce()
        let hash = SHA256.hash(data: try #require(Hex.decode(nonce)) + Array(SHA256.hash(data: Self.token)))
        var recipe = AttestationRecipe(
            appID: try #require(ServerSite.appID), clientDataHash: Array(hash),
            at: .init(milliseconds: ServerSite.now.milliseconds))
        recipe.credentialKey = device.key
        let minted = try recipe.mint(by: ServerSite.authority.get())
        let attestation = Data(minted.bytes).base64EncodedString()
        let body = """
            {"keyId":"\(minted.keyID)","attestation":"\(attestation)","clientData":"\(nonce)",\
            "deviceToken":"\(Base64.encode(Self.token))"}
            """
        return try await site.request(
            "POST", "/attest/register", [("Content-Type", "application/json")], body: Array(body.utf8))
    }

    private func body(_ question: ReceiptSite.Question) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(question.body.utf8)) as? [String: Any])
    }

    @Test("a device is asked about under the team's token; clean it is registered, and banned while it is connected")
    func wholeWay() async throws {
        let apple = try await ReceiptSite(hosts: Self.hosts)
        let folder = try TemporaryFolder()
        let admin = folder.path("admin")
        let site = try await ServerSite(
            settings(apple, "require").merging(["ADMIN_BIND": "unix:\(admin)"]) { $1 }, receiptService: apple.place)
        let device = Device()
        async let registration = register(device, in: site)
        let question = try await apple.question()
        #expect(question.start == "POST /v1/query_two_bits HTTP/1.1")
        #expect(question.fields["Host"] == "api.devicecheck.apple.com")
        #expect(question.fields["Content-Type"] == "application/json")
        let words = try #require(question.fields["Authorization"]).split(separator: " ")
        try #require(words.count == 2 && words[0] == "Bearer")
        let parts = words[1].split(separator: ".").map { String($0) }
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64.decode(parts[2])))
        #expect(apple.teamKey.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        let asked = try body(question)
        #expect(asked["device_token"] as? String == Base64.encode(Self.token))
        #expect((asked["transaction_id"] as? String)?.utf8.count == 32)
        #expect(abs(try #require(asked["timestamp"] as? Int64) - ServerSite.now.milliseconds) < 600_000)
        try await question.answer("200 OK", "Failed to find bit state")
        #expect(try await registration.status == 200)

        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        let sha = KeyName(try #require(KeyID(bytes: device.keyName))).hex
        #expect(try await RawClient.request(unix: admin, "POST", "/admin/keys/\(sha)/ban").status == 200)
        #expect(try await client.readMessage().closeCode == 1008)
        try await apple.question().answer("200 OK", #"{"bit0":false,"bit1":true,"last_update_time":"2026-02"}"#)
        let update = try await apple.question()
        #expect(update.start == "POST /v1/update_two_bits HTTP/1.1")
        let told = try body(update)
        #expect(told["bit0"] as? Bool == true && told["bit1"] as? Bool == true)
        #expect(told["transaction_id"] as? String != asked["transaction_id"] as? String)
        try await update.answer("200 OK", "")
        #expect(await site.events.first(.deviceBanSet).key?.hex == sha)
        #expect(try await site.stores.keys.key(#require(KeyID(bytes: device.keyName)))?.deviceBan == .set)

        async let second = register(Device(), in: site)
        try await apple.question().answer("200 OK", #"{"bit0":true,"bit1":true,"last_update_time":"2026-02"}"#)
        let reply = try await second
        #expect(reply.status == 403 && reply.code == "device_banned")
        // Nothing that was said of it names the token.
        let text = Base64.encode(Self.token)
        #expect(!site.events.events.contains { $0.jsonLine(at: 0).contains(text) })
        withExtendedLifetime(folder) {}
    }

    @Test(
        "an Apple that is not there, or not Apple, keeps new devices out where it is required, and nobody else",
        arguments: [("require", 503), ("observe", 200)])
    func unreachable(_ policy: String, _ status: Int) async throws {
        let apple = try await ReceiptSite(hosts: ReceiptSite.hosts)
        let site = try await ServerSite(settings(apple, policy), receiptService: apple.place)
        let known = try await site.registered()
        // Its certificate is for other hosts.
        let reply = try await register(Device(), in: site)
        #expect(reply.status == status)
        if status == 503 { #expect(reply.code == "device_check_unavailable") }
        #expect(await site.events.first(.deviceCheckFailed).detail?.description.hasPrefix("no answer") == true)
        #expect(
            try await site.request("GET", "/", RawClient.handshake + site.assertion(known, counter: 1)).status == 101)
    }
}
