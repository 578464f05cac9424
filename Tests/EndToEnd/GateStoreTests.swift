import AppAttest
import AppAttestClient
import AppAttestTestKit
import Foundation
import GateTestKit
import TestSupport
import Testing

private actor Count {
    private var count = 0

    func add() -> Int {
        count += 1
        return count
    }
}

@Suite("What the gate acknowledged, and what it lets in once")
struct GateStoreTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    @Test("killed again and again, a gate forgets no key that it acknowledged")
    func killed() async throws {
        let settings = ["--config", "\(site.folder)/gate.conf"] + GateSite.unlimited
        var known: [TrialDevice] = []
        for round in 0..<5 {
            let gate = try await GateProcess(settings)
            let client = try site.client(gate)
            // Every device of the rounds before is known still: it gets in without a new key.
            for phone in known {
                let id = await phone.load()?.id
                let app = AppAttestClient(service: phone, transport: client, storage: phone)
                let socket = try await app.connect { try await TrialWebSocket.open(client, $0.fields) }
                await socket.cut()
                #expect(await phone.load()?.id == id, "round \(round)")
            }
            // Devices register side by side; the first answers are waited for, then the gate is killed among the
            // others.
            let phones = try (0..<8).map { _ in try site.device() }
            let acknowledged = Count()
            await withTaskGroup(of: Void.self) { group in
                for phone in phones {
                    group.addTask {
                        let app = AppAttestClient(service: phone, transport: client, storage: phone)
                        _ = try? await app.connect { $0 }
                        let isRegistered = await phone.load()?.isRegistered == true
                        guard isRegistered, await acknowledged.add() == 3 else { return }
                        gate.signal("KILL")
                    }
                }
            }
            gate.signal("KILL")
            #expect(await gate.wait() == 137)
            for phone in phones where await phone.load()?.isRegistered == true { known.append(phone) }
        }
        #expect(known.count >= 15)
    }

    @Test(
        "of 1,000 replays raced against two gates on one PostgreSQL, one is let in",
        .enabled(if: PostgresServer.isPossible, "\(PostgresServer.absence ?? "")"))
    func race() async throws {
        let postgres = try await PostgresServer.shared()
        let store = postgres.url(try await postgres.makeDatabase())
        let settings = ["--config", "\(site.folder)/gate.conf", "--store-url", store] + GateSite.unlimited
        let one = try await GateProcess(settings)
        let other = try await GateProcess(settings)
        let clients = [try site.client(one), try site.client(other)]
        let phone = try site.device()
        let app = AppAttestClient(service: phone, transport: clients[0], storage: phone)
        let headers = try await app.connect { $0 }
        let admitted = try await race(1_000, clients, headers)
        #expect(admitted == 1)

        // Counters: of one counter with different nonces, one is let in too.
        let next = try await app.connect { $0 }
        #expect(try await race(100, clients, next) == 1)
        #expect(try await race(100, clients, headers) == 0)
    }

    /// - Returns: how many were let in.
    private func race(_ count: Int, _ gates: [TrialGate], _ headers: AssertionHeaders) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var begun = 0
            func begin() {
                guard begun < count else { return }
                let gate = gates[begun % gates.count]
                begun += 1
                group.addTask {
                    do {
                        let socket = try await TrialWebSocket.open(gate, headers.fields)
                        await socket.cut()
                        return true
                    } catch let refusal as GateRefusal {
                        guard refusal.status == 401 else { throw refusal }
                        return false
                    }
                }
            }
            for _ in 0..<32 { begin() }
            var admitted = 0
            for try await isAdmitted in group {
                admitted += isAdmitted ? 1 : 0
                begin()
            }
            return admitted
        }
    }

    @Test(
        "a key that is revoked in the database loses its connections at every gate",
        .enabled(if: PostgresServer.isPossible, "\(PostgresServer.absence ?? "")"))
    func revokedElsewhere() async throws {
        let postgres = try await PostgresServer.shared()
        let store = postgres.url(try await postgres.makeDatabase())
        let settings = ["--config", "\(site.folder)/gate.conf", "--store-url", store] + GateSite.unlimited
        let gates = [try await GateProcess(settings), try await GateProcess(settings)]
        let (phone, other) = (try site.device(), try site.device())
        var sockets: [TrialWebSocket] = []
        var others: [TrialWebSocket] = []
        for gate in gates {
            let client = try site.client(gate)
            for device in [phone, other] {
                let app = AppAttestClient(service: device, transport: client, storage: device)
                let socket = try await app.connect { try await TrialWebSocket.open(client, $0.fields) }
                if device === phone { sockets.append(socket) } else { others.append(socket) }
            }
        }
        let id = try #require(await phone.load()?.id)
        let revoked = try await self.gate(["keys", "revoke", id, "--store", store])
        #expect(revoked.exitCode == 0, "\(revoked.errors)")
        for socket in sockets {
            var code: UInt16?
            while let event = try await socket.next() {
                if case .close(let payload) = event { code = payload.code?.rawValue }
            }
            #expect(code == 1008)
        }
        for socket in others {
            try await socket.send("still in")
            #expect(try await socket.nextMessage() == Array("still in".utf8))
        }
        withExtendedLifetime(gates) {}
    }

    @Test("keys go from one store to another and stay what they are")
    func keysCommand() async throws {
        let settings = ["--config", "\(site.folder)/gate.conf"] + GateSite.unlimited
        var gate: GateProcess? = try await GateProcess(settings)
        let client = try site.client(gate!)
        let phone = try site.device()
        let app = AppAttestClient(service: phone, transport: client, storage: phone)
        for _ in 0..<3 { await (try await app.connect { try await TrialWebSocket.open(client, $0.fields) }).cut() }

        let store = "json:\(site.folder)/attested-keys.json"
        let busy = try await self.gate(["keys", "list", "--store", store])
        #expect(busy.exitCode == 75)
        #expect(busy.errors.contains("A gate runs on"))
        gate?.signal("TERM")
        #expect(await gate?.wait() == 0)
        gate = nil

        let copy = site.scratch.path("copy.json")
        #expect(try await self.gate(["keys", "export", copy, "--store", store]).exitCode == 0)
        let again = try await self.gate([
            "keys", "import", copy, "--store", "json:\(site.scratch.path("new.json"))", "--json",
        ])
        #expect(again.output.contains("\"imported\" : 1"))
        // Those of another environment than the gate's stay out, unless they are asked for.
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        let built = site.scratch.path("built.json")
        let other = text.replacing("\"production\"", with: "\"development\"")
        try other.write(toFile: built, atomically: true, encoding: .utf8)
        for (arguments, imported) in [([], 0), (["--environment", "production"], 0), (["--environment", "both"], 1)] {
            let outcome = try await self.gate(
                ["keys", "import", built, "--store", "json:\(site.scratch.path("built-new.json"))", "--json"]
                    + arguments)
            #expect(outcome.output.contains("\"imported\" : \(imported)"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("\"otherEnvironment\" : \(1 - imported)"))
        }
        let list = try await self.gate(["keys", "list", "--store", "json:\(site.scratch.path("new.json"))", "--json"])
        #expect(list.output.contains("\"signCount\" : 3"))
        let unknown = try await self.gate(["keys", "revoke", "sha:000000000000", "--store", store])
        #expect(unknown.exitCode == 1)
    }

    private func gate(_ arguments: [String]) async throws -> Program.Outcome {
        try await OwnThread.run { try Program(name: "gate").run(arguments) }
    }
}
