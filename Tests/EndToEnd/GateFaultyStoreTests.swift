import AppAttest
import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("A gate whose store fails", .timeLimit(.minutes(30)))
struct GateFaultyStoreTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    private func headers(_ phone: TrialDevice, _ gate: TrialGate) async throws -> AssertionHeaders {
        try await AppAttestClient(service: phone, transport: gate, storage: phone).connect { $0 }
    }

    /// The names of the keys on the disk.
    private func stored() throws -> Set<String> {
        let file = try Data(contentsOf: URL(filePath: "\(site.folder)/attested-keys.json"))
        let keys = try #require(JSONSerialization.jsonObject(with: file) as? [String: Any])
        return Set(keys.keys)
    }

    /// Gets in with the key that it has.
    private func returns(_ phone: TrialDevice, _ gate: TrialGate) async throws -> Bool {
        let id = await phone.load()?.id
        await (try await site.connect(phone, gate)).cut()
        return await phone.load()?.id == id
    }

    // MARK: The disk

    @Test(
        "with no room on the disk acknowledges nothing, says so, keeps what it had, and goes on when there is room",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "there is no prlimit"))
    func fullDisk() async throws {
        // A file may have 32 KiB. The signal that a larger one would bring is ignored, as a full disk brings none.
        let gate = try await site.gate(prelude: "trap '' XFSZ; ulimit -S -f 64")
        let client = try site.client(gate)
        var acknowledged: [TrialDevice] = []
        var refused: TrialDevice?
        while refused == nil, acknowledged.count < 50 {
            let phone = try site.device()
            do {
                _ = try await headers(phone, client)
                acknowledged.append(phone)
            } catch let AppAttestClientError.tryLater(refusal) {
                #expect(refusal.status == 503)
                #expect(refusal.code == "store_unavailable")
                refused = phone
            }
        }
        let late = try #require(refused)
        #expect(!acknowledged.isEmpty)
        var names: Set<String> = []
        for phone in acknowledged { names.insert(try #require(await phone.load()?.id)) }
        #expect(try stored() == names)
        // Who was let in before is let in now.
        #expect(try await returns(acknowledged[0], client))

        let raised = try await OwnThread.run {
            try Program.shell("/usr/bin/prlimit --pid \(gate.id) --fsize=unlimited")
        }
        #expect(raised.exitCode == 0, "\(raised.errors)")
        _ = try await eventually { try? await headers(late, client) }
        let lateName = try #require(await late.load()?.id)
        #expect(try stored() == names.union([lateName]))
        gate.signal("KILL")
        #expect(await gate.wait() == 137)

        let again = try await site.gate()
        for phone in acknowledged + [late] { #expect(try await returns(phone, site.client(again))) }
    }

    // MARK: The database

    @Test(
        "without its database lets nobody in and keeps who is in; with it again, knows every key and no old assertion",
        .enabled(if: PostgresServer.isPossible, "\(PostgresServer.absence ?? "")"))
    func database() async throws {
        let postgres = try await PostgresServer()
        let store = postgres.url(try await postgres.makeDatabase())
        let gate = try await site.gate(GateSite.unlimited + ["--store-url", store])
        let client = try site.client(gate)
        let phone = try site.device()
        let used = try await headers(phone, client)
        let socket = try await TrialWebSocket.open(client, used.fields)

        await postgres.stop()
        // The third failure tells others to serve in this gate's place.
        for _ in 0..<3 {
            let reply = try await client.request("GET", at: "/attest/challenge")
            #expect(reply.status == 503)
            #expect(String(decoding: reply.body, as: UTF8.self).contains("store_unavailable"))
        }
        #expect(try await client.request("GET", at: "/readyz").status == 503)
        #expect(try await client.request("GET", at: "/healthz").status == 200)
        await #expect(throws: GateRefusal.self) { try await TrialWebSocket.open(client, used.fields) }
        try await socket.send("still in")
        #expect(try await socket.nextMessage() == Array("still in".utf8))

        await postgres.start()
        // Each of the gate's connections to the database comes back by itself.
        #expect(try await eventually { try? await returns(phone, client) })
        let code = try await eventually {
            let refusal = await #expect(throws: GateRefusal.self) { try await TrialWebSocket.open(client, used.fields) }
            return refusal?.code == "store_unavailable" ? nil : refusal?.code
        }
        #expect(code == "nonce_invalid")
        _ = try await eventually { try await client.request("GET", at: "/readyz").status == 200 ? true : nil }
    }

    // MARK: Restarts

    @Test(
        "an assertion that was used is no good for a gate that was killed and started again",
        arguments: [
            "json", "postgres",
        ], ["stored", "sealed"])
    func restart(_ store: String, _ mode: String) async throws {
        var settings = GateSite.unlimited + ["--nonce-mode", mode]
        if store == "postgres" {
            guard PostgresServer.isPossible else { return }
            let postgres = try await PostgresServer.shared()
            settings += ["--store-url", postgres.url(try await postgres.makeDatabase())]
            if mode == "sealed" {
                let secret = site.scratch.path("secret")
                try SmallFile.write((0..<32).map { UInt8($0) }, to: secret, isSecret: true)
                settings += ["--nonce-secret-path", secret]
            }
        }
        var gate: GateProcess? = try await site.gate(settings)
        let phone = try site.device()
        var client = try site.client(gate!)
        var captured: [AssertionHeaders] = []
        for _ in 0..<3 {
            captured.append(try await headers(phone, client))
            await (try await TrialWebSocket.open(client, captured.last!.fields)).cut()
        }
        gate?.signal("KILL")
        #expect(await gate?.wait() == 137)
        gate = nil
        let again = try await site.gate(settings)
        client = try site.client(again)
        for headers in captured {
            let refusal = await #expect(throws: GateRefusal.self) {
                try await TrialWebSocket.open(client, headers.fields)
            }
            #expect(refusal?.code == "nonce_invalid")
        }
        #expect(try await returns(phone, client))
    }
}
