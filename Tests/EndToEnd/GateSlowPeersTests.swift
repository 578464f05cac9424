import Foundation
import GateTestKit
import Synchronization
import TestSupport
import Testing

/// Counts what tasks do side by side.
private final class Tally: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.wrappingAdd(1, ordering: .relaxed) }
}

@Suite("The gate among peers that are slow, or gone", .timeLimit(.minutes(30)))
struct GateSlowPeersTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    /// What stays undone on a connection.
    enum Stall: CaseIterable, Sendable {
        case handshake, firstByte, head, counted, chunked

        var bytes: String {
            let post = "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            return switch self {
            case .handshake, .firstByte: ""
            case .head: "GET / HTTP/1.1\r\nHost: a\r\nX: "
            case .counted: post + "Content-Length: 60000\r\n\r\n{"
            case .chunked: post + "Transfer-Encoding: chunked\r\n\r\n4000\r\n{"
            }
        }
    }

    @Test("what is not brought to its end in time is cut, and costs little", .enabled(if: GateProcess.showsMemory))
    func stalls() async throws {
        let gate = try await site.gate(
            GateSite.unlimited
                + ["--header-timeout-ms", "1500", "--body-timeout-ms", "1500", "--tls-handshake-timeout-ms", "1500"])
        let client = try site.client(gate)
        let plain = try TrialGate("http://127.0.0.1:\(gate.port)")
        func stall(_ count: Int) async {
            await withTaskGroup(of: String.self) { group in
                for stall in Stall.allCases {
                    for _ in 0..<count {
                        group.addTask {
                            guard let connection = try? await (stall == .handshake ? plain : client).open() else {
                                return ""
                            }
                            // On a busy machine the time may be over before the bytes are there.
                            try? await connection.send(Array(stall.bytes.utf8))
                            var answer: [UInt8] = []
                            while case .bytes(let bytes) = await connection.receive() { answer += bytes }
                            return String(decoding: answer, as: UTF8.self)
                        }
                    }
                }
                for await answer in group { #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 ")) }
            }
        }
        await stall(4)
        let before = try gate.residentBytes()
        await stall(40)
        #expect(try gate.residentBytes() - before < 16 << 20)
        gate.signal("TERM")
        #expect(await gate.wait() == 0)
    }

    /// Who sends without end, and whom nobody listens to.
    enum Flow: CaseIterable, Sendable {
        /// A WebSocket service to a client that reads nothing.
        case service
        /// The same by TCP.
        case stream
        /// A client to a WebSocket service that reads nothing.
        case client
        case clientToStream
        /// A client that reads no pong.
        case pings
        /// A telnet service that reads no answer.
        case offers

        var isWebSocket: Bool { self == .service || self == .client }
        var isFromService: Bool { self == .service || self == .stream || self == .offers }

        var frame: [UInt8] {
            switch self {
            case .service: TrialSocket.frame(0x82, [UInt8](repeating: 7, count: 1 << 20), isMasked: false)
            case .client: TrialSocket.frame(0x82, [UInt8](repeating: 7, count: 1 << 20))
            // Where the gate is the end, it holds a message of each client whole.
            case .clientToStream:
                Self.repeated(TrialSocket.frame(0x82, [UInt8](repeating: 7, count: 16_384)), 64)
            case .stream: [UInt8](repeating: 7, count: 1 << 20)
            case .pings:
                Self.repeated(TrialSocket.frame(0x89, [UInt8](repeating: 7, count: 125)), 8_192)
            // IAC WILL 200 .. is answered each time, because it is refused each time.
            case .offers: Self.repeated([255, 251, 99], 1 << 18)
            }
        }

        private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            [[UInt8]](repeating: bytes, count: count).flatMap(\.self)
        }
    }

    /// What the allocator keeps would count as the gate's: as a rule up to twice the largest piece that was ever given
    /// back, for each thread.
    private static let givesBackMemory =
        "export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=65536"

    @Test(
        "who reads nothing holds up who sends to it, and costs the gate less than a megabyte",
        .enabled(if: GateProcess.showsMemory), arguments: Flow.allCases)
    func flow(_ flow: Flow) async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let scheme = flow.isWebSocket ? "ws" : flow == .offers ? "telnet" : "tcp"
        // One event loop: a request that it has answered tells that it has looked at everything else.
        let gate = try await site.gate(
            GateSite.open + ["--upstream-url", "\(scheme)://127.0.0.1:\(service.port)", "--event-loops", "1"],
            prelude: Self.givesBackMemory)
        let client = try site.client(gate)
        var pairs: [(sender: TrialConnection, receiver: TrialConnection)] = []
        for _ in 0..<4 {
            let ends = try await meet(arrivals, isWebSocket: flow.isWebSocket) { try await TrialSocket.open(client) }
            let (opened, arrival) = (ends.client.connection, ends.service.connection)
            pairs.append(flow.isFromService ? (arrival, opened) : (opened, arrival))
        }
        for pair in pairs {
            try await (flow == .pings || flow == .offers ? pair.sender : pair.receiver).pauseReading(true)
        }
        for _ in 0..<20 { _ = try await client.request("GET", at: "/healthz") }
        let before = try gate.residentBytes()

        let (sent, ends) = (Tally(), pairs)
        let most = 48
        await withThrowingTaskGroup(of: Void.self) { group in
            for pair in ends {
                group.addTask {
                    for _ in 0..<most {
                        try await pair.sender.send(flow.frame)
                        sent.add()
                    }
                }
            }
            group.addTask {
                // Stalled is what does not move while the gate's only loop goes round and round.
                var last = -1
                while true {
                    let now = sent.count
                    if now == last { break }
                    last = now
                    for _ in 0..<20 { _ = try await client.request("GET", at: "/healthz") }
                }
                for pair in ends { await pair.sender.close() }
            }
            // The senders fail when their connections end.
            while !group.isEmpty { _ = await group.nextResult() }
        }
        let growth = try gate.residentBytes() - before
        #expect(sent.count < most * pairs.count)
        #expect(growth < pairs.count << 20)
    }

    @Test("a client that is silent is given up, and its service hears 1001")
    func silence() async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let gate = try await site.gate(
            GateSite.open + [
                "--upstream-url", "ws://127.0.0.1:\(service.port)", "--ws-heartbeat-interval-ms", "200",
                "--ws-heartbeat-timeout-ms", "1500",
            ])
        let front = try site.client(gate)
        let (client, behind) = try await meet(arrivals) { try await TrialSocket.open(front) }
        // Pings come, and no pong goes back.
        while let frame = await client.nextFrame() { #expect(frame.first == 0x89) }
        #expect(await behind.closeCode() == 1001)
    }
}
