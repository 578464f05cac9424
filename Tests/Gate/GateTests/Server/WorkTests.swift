import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import Gate

/// What a gate does for clients that ask and do not wait for the answer.
@Suite("Work for those who leave", .timeLimit(.minutes(30)))
struct WorkTests {
    private static let challenge = "GET /attest/challenge HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "one address that asks and leaves has no more done at a time than its places, and then others are answered",
        arguments: [RelayPlace.loop, .thread])
    func asksAndLeaves(_ place: RelayPlace) async throws {
        let nonces = WaitingNonceStore()
        let site = try await ServerSite(
            ["UPSTREAM_URL": "ws://127.0.0.1:9", "NONCE_MODE": "stored", "MAX_WAITING_CONNECTIONS_PER_IP": "4"],
            stores: Stores(keys: MemoryKeyStore(), nonces: nonces), place: place)
        for count in 1...4 {
            let client = try await site.connect()
            try await client.send(Self.challenge)
            _ = try await eventually { await nonces.puts == count ? true : nil }
            client.closeOutput()
            #expect(await client.rest().isEmpty)
        }
        // The gate has let go of them all, and works for them.
        for _ in 0..<20 {
            let client = try await site.connect()
            try? await client.send(Self.challenge)
            #expect(await client.rest().isEmpty)
        }
        #expect(await nonces.puts == 4)
        await nonces.answer()
        let reply = try await eventually {
            // Until each of them has left its place.
            let client = try await site.connect()
            return try? await client.request("GET", "/attest/challenge")
        }
        #expect(reply.status == 200)
        let waiting = site.server.gate.metrics.connections
        _ = try await eventually { waiting.value(.waiting) == 0 ? true : nil }
    }

    @Test("for one who has left before it begins it is not begun", arguments: [true, false])
    func notBegun(_ leaves: Bool) async throws {
        let loop = testLoops.next()
        let metrics = GateMetrics()
        let waiting = PendingConnections(
            GateConfiguration.WaitingLimits(total: 8, perClient: 1), cuts: 4, metrics: metrics, events: EventList())
        let course = Course()
        let (kept, isOneTooMany) = try await loop.submit {
            let peer = IPAddress(v4: 0xc000_0201)
            let place = waiting.enter(Forgotten(), from: peer, isShared: false)
            let settings = HTTPConversation.Settings(header: .hours(1), body: .hours(1))
            let http = HTTPConversation(Working(LoopExecutor(loop), course), settings, on: loop, place: place)
            let connection = Connection(course)
            http.begin(on: connection)
            http.receive(ByteBuffer(string: Self.challenge))
            // What is to be done comes behind this.
            if leaves { http.end() }
            let isOneTooMany = waiting.enter(Forgotten(), from: peer, isShared: false) == nil
            return (NIOLoopBound((http, connection), eventLoop: loop), isOneTooMany)
        }.get()
        #expect(isOneTooMany, "the place of one who is worked for is nobody else's")
        if leaves {
            _ = try await eventually { metrics.connections.value(.waiting) == 0 ? true : nil }
        } else {
            _ = try await eventually { course.answers.load(ordering: .relaxed) == 1 ? true : nil }
            #expect(metrics.connections.value(.waiting) == 1)
        }
        #expect(course.begun.load(ordering: .relaxed) == (leaves ? 0 : 1))
        try await loop.submit { kept.value.0.end() }.get()
        #expect(metrics.connections.value(.waiting) == 0)
    }
}

/// What came of a request.
private final class Course: Sendable {
    let begun = Atomic(0)
    let answers = Atomic(0)
}

/// Has something done for each request.
private final class Working: RequestHandler {
    private let executor: LoopExecutor
    private let course: Course

    init(_ executor: LoopExecutor, _ course: Course) { (self.executor, self.course) = (executor, course) }

    func receive(_ head: HTTPRequestHead, on http: HTTPConversation) {
        let work: @Sendable () async -> Answer = { [course] in
            course.begun.wrappingAdd(1, ordering: .relaxed)
            return Answer(status: 200, json: "{}")
        }
        http.run(work, on: executor) { http.answer($0) }
    }

    func refuse(_ refusal: Refusal) -> Answer { Answer(status: 400, json: "{}") }
}

/// Counts what is sent.
private final class Connection: HTTPConnection {
    private let course: Course

    init(_ course: Course) { self.course = course }

    func send(_ bytes: ByteBuffer) { course.answers.wrappingAdd(1, ordering: .relaxed) }
    func endOutput() {}
    func close() {}
    func readOn() {}
}

/// A connection that nobody has to cut.
private struct Forgotten: PendingConnection { func cut(resets: Bool) {} }

/// A store whose nonces are kept when the test says so, and not before.
private actor WaitingNonceStore: NonceStore {
    private(set) var puts = 0
    private var isAnswering = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Answers everything, now and from now on.
    func answer() {
        isAnswering = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func put(_ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey) async throws(StoreError) -> Bool {
        puts += 1
        if !isAnswering { await withCheckedContinuation { waiting.append($0) } }
        return true
    }

    func consume(_ nonce: [UInt8], now: Timestamp) async throws(StoreError) -> Bool { false }

    func markUsed(
        _ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey, now: Timestamp
    ) async throws(StoreError) -> Bool { false }

    func sweep(now: Timestamp) async throws(StoreError) {}
    func count() async throws(StoreError) -> Int { 0 }
    func close() async {}
}
