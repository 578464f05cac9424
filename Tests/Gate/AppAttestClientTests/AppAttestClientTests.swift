import Synchronization
import Testing
import TextForms

@testable import AppAttestClient

/// A service that signs with nothing: what it makes says what it was asked.
private final class PaperService: AppAttestService {
    private let made = Mutex(0)

    func generateKey() async throws(AppAttestServiceError) -> String {
        let number = made.withLock { made in
            made += 1
            return made
        }
        return "key \(number)"
    }

    func attest(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        clientDataHash
    }

    func assert(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        clientDataHash
    }
}

/// Tokens with a number each.
private final class PaperTokens: DeviceTokenService {
    private let made = Mutex<UInt8>(0)

    func deviceToken() async throws(AppAttestServiceError) -> [UInt8] {
        [
            made.withLock { made in
                made += 1
                return made
            }
        ]
    }
}

/// A gate of paper that keeps what it was asked.
private final class PaperGate: HTTPTransport {
    let requests = Mutex<[GateRequest]>([])
    private let challengeStatus: Int

    init(challengeStatus: Int = 200) { self.challengeStatus = challengeStatus }

    func send(_ request: GateRequest) async throws -> GateAnswer {
        let count = requests.withLock { list in
            list.append(request)
            return list.count
        }
        guard request.path == "/attest/challenge" else {
            return GateAnswer(status: 200, body: Array(#"{"registered":true}"#.utf8))
        }
        let nonce = Hex.encode(Array(repeating: UInt8(truncatingIfNeeded: count), count: 32))
        return GateAnswer(
            status: challengeStatus, retryAfter: challengeStatus == 200 ? nil : .seconds(3),
            body: Array(#"{"nonce":"\#(nonce)","expires":1}"#.utf8))
    }
}

/// Counts who is inside.
private actor Room {
    private var now = 0
    private(set) var most = 0

    func enter() {
        now += 1
        most = max(most, now)
    }

    func leave() { now -= 1 }
}

@Suite("The client of the gate")
struct AppAttestClientTests {
    @Test("a fresh token of the device goes with the registration and with each handshake, and is signed with it")
    func deviceTokens() async throws {
        let gate = PaperGate()
        let client = AppAttestClient(
            service: PaperService(), transport: gate, storage: MemoryKeyStorage(), deviceTokens: PaperTokens())
        let headers = try await client.connect { $0 }
        let nonce = [UInt8](repeating: 3, count: 32)
        #expect(headers.deviceToken == Base64.encode([2]) && headers.nonce == Hex.encode(nonce))
        #expect(headers.fields.last?.name == "X-App-Assert-DeviceToken" && headers.fields.last?.value == "Ag==")
        // SHA-256 of 32 bytes 0x03 and SHA-256 of the byte 0x02.
        #expect(headers.assertion == Base64.encode(GateMessages.clientDataHash(nonce, deviceToken: [2])))
        #expect(headers.assertion != Base64.encode(GateMessages.clientDataHash(nonce)))
        let body = String(decoding: gate.requests.withLock { $0 }[1].body ?? [], as: UTF8.self)
        #expect(body.contains(#""deviceToken":"AQ==""#))
        #expect(try await client.connect { $0 }.deviceToken == Base64.encode([3]))
    }

    @Test("it registers once, and hashes the nonce's bytes, not its digits")
    func registers() async throws {
        let gate = PaperGate()
        let storage = MemoryKeyStorage()
        let client = AppAttestClient(service: PaperService(), transport: gate, storage: storage)
        let headers = try await client.connect { $0 }
        #expect(await storage.load() == RegisteredKey(id: "key 1", isRegistered: true))
        let requests = gate.requests.withLock { $0 }
        #expect(requests.map(\.path) == ["/attest/challenge", "/attest/register", "/attest/challenge"])
        // A registered key is named, so that its challenges do not depend on who is behind the same address.
        #expect(requests[0].fields.isEmpty && requests[2].fields == ["X-App-Assert-KeyId": "key 1"])
        // SHA-256 of 32 bytes 0x03.
        #expect(headers.assertion == Base64.encode(GateMessages.clientDataHash([UInt8](repeating: 3, count: 32))))
        #expect(headers.nonce == String(repeating: "03", count: 32))
        _ = try await client.connect { $0 }
        #expect(gate.requests.withLock { $0.count } == 4)
    }

    @Test("connections are made one after the other")
    func serialised() async throws {
        let client = AppAttestClient(
            service: PaperService(), transport: PaperGate(),
            storage: MemoryKeyStorage(RegisteredKey(id: "k", isRegistered: true)))
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    try await client.connect { _ in
                        await room.enter()
                        await Task.yield()
                        await room.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await room.most == 1)
    }

    @Test("a refusal by the caller's handshake leads to a new key, another error straight out")
    func refusals() async throws {
        struct Cable: Error {}
        let storage = MemoryKeyStorage(RegisteredKey(id: "gone", isRegistered: true))
        let client = AppAttestClient(service: PaperService(), transport: PaperGate(), storage: storage)
        let keyID = try await client.connect { headers in
            guard headers.keyID != "gone" else { throw GateRefusal(status: 401, code: "unknown_key") }
            return headers.keyID
        }
        #expect(keyID == "key 1")
        await #expect(throws: Cable.self) { try await client.connect { _ in throw Cable() } }
        #expect(await storage.load()?.id == "key 1")
    }

    @Test("a gate that has no room says when to come back")
    func later() async throws {
        let client = AppAttestClient(
            service: PaperService(), transport: PaperGate(challengeStatus: 503), storage: MemoryKeyStorage())
        let error = await #expect(throws: AppAttestClientError.self) { try await client.connect { $0 } }
        guard case .tryLater(let refusal) = error else { throw error ?? .outOfOrder }
        #expect(refusal.retryAfter == .seconds(3))
    }
}
