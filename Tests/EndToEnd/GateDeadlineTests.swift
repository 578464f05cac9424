import GateTestKit
import Testing

/// How long a gate takes to end, which only a machine that does nothing else can show.
@Suite(
    "The deadline of a gate that ends", .timeLimit(.minutes(30)), .serialized,
    .enabled(if: TestsAlone.areWanted, TestsAlone.reason))
struct GateDeadlineTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    @Test("the deadline is one for those too who read nothing, by TLS and without", arguments: [true, false])
    func deadline(_ isTLS: Bool) async throws {
        // A farewell of TLS would be waited for five seconds, each time.
        var best = Duration.seconds(60)
        for _ in 0..<5 where best >= .seconds(4) { best = min(best, try await timeToEnd(isTLS)) }
        #expect(best < .seconds(4))
    }

    private func timeToEnd(_ isTLS: Bool) async throws -> Duration {
        let gate = try await site.gate(
            GateSite.open + ["--shutdown-grace-ms", "10", "--shutdown-deadline-ms", "1000"]
                + (isTLS ? [] : ["--inbound-tls-mode", "off"]))
        let client = isTLS ? try site.client(gate) : try TrialGate("ws://127.0.0.1:\(gate.port)")
        let deaf = try await TrialSocket.open(client)
        let idle = try await client.open()
        try await idle.send(TrialGate.head("GET", at: "/healthz", host: "localhost", fields: []))
        _ = try await idle.reply()
        for connection in [deaf.connection, idle] { try await connection.pauseReading(true) }
        gate.signal("TERM")
        return await ContinuousClock().measure { #expect(await gate.wait() == 0) }
    }
}
