import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite(
    "A gate under siege", .timeLimit(.minutes(30)), .serialized,
    .enabled(if: TestsAlone.areWanted, TestsAlone.reason))
struct GateSiegeTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    /// Where a gate would have room for each of the besiegers, there is no siege.
    private static let mayOpenMany: Bool = {
        var limit = rlimit()
        #if canImport(Glibc)
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        #else
            let isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
        return isKnown && limit.rlim_cur >= 4_096
    }()

    /// What the besiegers do, and how many they are.
    struct Case: CustomTestStringConvertible, Sendable {
        let isTLS: Bool
        let count: Int
        var word = ""

        var testDescription: String {
            "\(count), \(isTLS ? "TLS" : "plain text")\(word.isEmpty ? "" : ", with a word")"
        }
    }

    private static let cases = [
        Case(isTLS: true, count: 520), Case(isTLS: true, count: 2_000), Case(isTLS: false, count: 520),
        Case(isTLS: false, count: 2_000), Case(isTLS: false, count: 2_000, word: "GET / HTTP/1.1\r\nHo"),
        Case(isTLS: true, count: 2_000, word: "\u{16}\u{3}\u{1}"),
    ]

    @Test(
        "who comes from another address is served within two seconds, every time",
        .enabled(if: mayOpenMany, "a process may have too few descriptors here (ulimit -n)"), arguments: cases)
    func siege(_ siege: Case) async throws {
        let log = site.scratch.path("log")
        let reserved = try ReservedPort()
        let operators = "127.0.0.1:\(reserved.number)"
        let gate = try await site.gate(
            GateSite.unlimited + ["--admin-bind", operators] + (siege.isTLS ? [] : GateSite.plain), log: log,
            prelude: "ulimit -n 1024")
        let client = siege.isTLS ? try site.client(gate) : try TrialGate("http://127.0.0.1:\(gate.port)")
        let neighbour = try await GateSite()
        let calm = try await neighbour.gate(GateSite.unlimited + GateSite.plain)
        let control = try TrialGate("http://127.0.0.1:\(calm.port)")
        let besiegers = Siege(of: siege.count, from: "127.0.0.2", port: gate.port, saying: Array(siege.word.utf8))
        // More than the gate can have: all places are taken.
        _ = try await eventually { besiegers.opened > siege.count ? true : nil }
        var slow: [Duration] = []
        for _ in 0..<60 {
            async let besieged = Self.ask(client)
            async let unbesieged = Self.ask(control)
            let ((status, time), (_, usual)) = await (besieged, unbesieged)
            // What holds up both is the machine.
            if status != 200 || time > .seconds(2) + usual * 2 { slow.append(time) }
        }
        #expect(slow.isEmpty, "of 60, \(slow.count) were not served, or waited longer: \(slow)")
        await besiegers.lift()
        let metrics = try await TrialGate("http://\(operators)").request("GET", at: "/metrics")
        let dropped = String(decoding: metrics.body, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("gate_waiting_dropped_total{") && !$0.hasSuffix(" 0")
        }
        #expect(!dropped.isEmpty)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let told = lines.filter { $0.contains(#""event":"waiting_dropped""#) }
        #expect(told.allSatisfy { $0.contains("127.0.0.2") } && 1...40 ~= told.count, "\(told)")
        withExtendedLifetime((gate, calm, neighbour, reserved)) {}
    }

    private static func ask(_ gate: TrialGate) async -> (status: Int?, time: Duration) {
        let start = ContinuousClock.now
        let status = try? await gate.request("GET", at: "/attest/challenge").status
        return (status, ContinuousClock.now - start)
    }
}
