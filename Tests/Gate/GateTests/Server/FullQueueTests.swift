import Dispatch
import Foundation
import NIOCore
import Testing

@testable import Gate

@Suite("A gate with more to verify than it may keep", .timeLimit(.minutes(30)))
struct FullQueueTests {
    private static let waiting = 256

    /// All workers are busy with something else, so that nothing leaves the queue before the last request is there.
    @Test("answers 503 to what does not fit, and verifies the rest")
    func overloaded() async throws {
        let site = try await ServerSite(["TRUSTED_PROXY_CIDRS": "127.0.0.0/8"])
        let workers = System.coreCount
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<workers { site.server.pool.submit { _ in gate.wait() } }
        let surplus = 20
        try await withThrowingTaskGroup(of: Reply.self) { group in
            for number in 0..<Self.waiting + workers + surplus {
                // A client has at most 64 nonces at a time.
                let address = ("X-Forwarded-For", "192.0.2.\(number % 200)")
                let nonce = try #require(
                    await site.request("GET", "/attest/challenge", [address]).member("nonce"))
                let id = Data(repeating: UInt8(number & 0xff), count: 32).base64EncodedString()
                let body = #"{"keyId":"\#(id)","attestation":"oA==","clientData":"\#(nonce)"}"#
                group.addTask {
                    try await site.request(
                        "POST", "/attest/register", [address, ("Content-Type", "application/json")],
                        body: Array(body.utf8))
                }
            }
            for _ in 0..<surplus {
                let reply = try await #require(group.next())
                #expect(reply.status == 503)
                #expect(reply.code == "overloaded")
                #expect(reply.values("Retry-After").count == 1)
            }
            for _ in 0..<workers { gate.signal() }
            for try await reply in group {
                #expect(reply.status == 403)
                #expect(reply.code == "attestation_rejected")
            }
        }
    }
}
