import ForceFieldWire
import TestSupport
import Testing

@testable import ForceField

@Suite("HelperLine: the calls to one helper extension")
struct HelperLineTests {
    private let line = HelperLine()
    private let helper = TestExtension()

    @Test("calls of several fields at a time are all answered, one after the other")
    func inARow() async throws {
        let clients = [helper.client(), helper.client()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { _ = try await line.ask(of: clients[number % 2]) } }
            try await group.waitForAll()
        }
        #expect(helper.state.withLock { $0.mostAsked } == 1)
    }

    @Test("a field's calls have one process, and no other field's calls have it")
    func ownProcess() async throws {
        let (mine, other) = (helper.client(), helper.client())
        #expect(try await line.ask(of: mine) == 1)
        #expect(try await line.ask(of: mine) == 1)
        #expect(try await line.ask(of: other) == 2)
        #expect(try await line.ask(of: mine) == 3)
        #expect(HelperLine.of("a") === HelperLine.of("a") && HelperLine.of("a") !== HelperLine.of("b"))
    }

    @Test("a deadline ends the process, also for a call that waits behind it")
    func deadline() async throws {
        let client = helper.client()
        let late = Task { try await line.ask(.hang, of: client, within: .seconds(1)) }
        let next = Task { try await line.ask(of: client) }
        await #expect(throws: ForceFieldError.deadlineExceeded) { try await late.value }
        _ = try await next.value
        let answered = try await line.ask(of: client)
        #expect(helper.state.withLock { !$0.hung.contains(answered) })
    }

    @Test("a deadline also holds while a call waits, and leaves the one that runs alone")
    func deadlineInLine() async throws {
        let client = helper.client()
        let running = Task { try await line.ask(.hang, of: client) }
        try await helper.isAsked()
        await #expect(throws: ForceFieldError.deadlineExceeded) {
            try await line.ask(of: client, within: .milliseconds(1))
        }
        #expect(helper.connections == 1)
        running.cancel()
        await #expect(throws: ForceFieldError.cancelled) { try await running.value }
        #expect(try await line.ask(of: client) == 2)
    }

    @Test("a reply that is refused ends the process before the next call")
    func refusedReply() async throws {
        let client = helper.client()
        let refusal = ForceFieldError.refusedReply(reason: "no")
        var next: Task<UInt8, any Error>?
        do {
            _ = try await line.ask(of: client) { _ throws(ForceFieldError) in
                next = Task { try await line.ask(of: client) }
                throw refusal
            }
            Issue.record("the reply is refused")
        } catch {
            #expect(error == refusal)
        }
        #expect(try await next?.value == 2)
    }

    @Test("a process that refuses, or is asked for too much, stays")
    func refusals() async throws {
        let client = helper.client()
        await #expect(throws: ForceFieldError.worker(.handlerFailed, text: "no")) {
            try await line.ask(.fail, of: client)
        }
        await #expect(throws: ForceFieldError.requestTooLarge(bytes: 2, limit: 1)) {
            try await line.ask(.tooLarge, of: client)
        }
        #expect(try await line.ask(of: client) == 1)
    }

    @Test("the call behind a process that the system has ended has a new one")
    func interruption() async throws {
        let client = helper.client()
        #expect(try await line.ask(of: client) == 1)
        helper.endProcess()
        #expect(try await line.ask(of: client) == 2)
        await #expect(throws: ForceFieldError.terminated(.killedByOS(.unknown))) {
            try await line.ask(.crash, of: client)
        }
        #expect(try await line.ask(of: client) == 3)
    }

    @Test("a fresh process for every call, where the policy says so")
    func perRequest() async throws {
        let client = helper.client { $0.lifetime = .perRequest }
        for number in 1...3 { #expect(try await line.ask(of: client) == number) }
    }

    @Test("a process without calls is given up")
    func idle() async throws {
        let client = helper.client { $0.lifetime = .idle(.milliseconds(1)) }
        _ = try await line.ask(of: client)
        try await eventually { line.isConnected(client) || helper.connections > 0 ? nil : () }
    }

    @Test("a process that is retired answers its call, and none after it")
    func retired() async throws {
        let client = helper.client()
        #expect(try await line.ask(of: client) { _ in line.retire(client) } == 1)
        #expect(try await line.ask(of: client) == 2)
        line.retire(client)
        line.retire(helper.client())
        #expect(try await line.ask(of: client) == 3)
    }

    @Test("a field that is terminated fails its calls, and no other's")
    func closed() async throws {
        let (client, other) = (helper.client(), helper.client())
        let running = Task { try await line.ask(.hang, of: client) }
        try await helper.isAsked()
        let waiting = Task { try await line.ask(of: client) }
        let others = Task { try await line.ask(of: other) }
        line.close(client)
        await #expect(throws: ForceFieldError.terminated(.killedByHost(.shutdown))) { try await running.value }
        await #expect(throws: ForceFieldError.closed) { try await waiting.value }
        #expect(try await others.value == 2)
    }

    @Test("no more calls wait than the policy lets")
    func overloaded() async throws {
        let client = helper.client { $0.maxQueued = 0 }
        let running = Task { try await line.ask(.hang, of: client) }
        try await helper.isAsked()
        await #expect(throws: ForceFieldError.overloaded(waiting: 0)) { try await line.ask(of: client) }
        running.cancel()
        _ = await running.result
        #expect(try await line.ask(of: client) == 2)
    }
}

@Suite("HelperLine: an extension that does not start")
struct HelperStartTests {
    private let line = HelperLine()

    @Test("a call does not wait for a process that never comes, and the next one waits for the late one's end")
    func neverOpened() async throws {
        let gate = OneShotPromise<Void>()
        let helper = TestExtension(openGate: gate)
        let client = helper.client()
        await #expect(throws: ForceFieldError.deadlineExceeded) {
            try await line.ask(of: client, within: .milliseconds(10))
        }
        let hasty = helper.client { $0.startTimeout = .milliseconds(10) }
        await #expect(throws: ForceFieldError.terminated(.setupFailed(.timeout))) { try await line.ask(of: hasty) }
        gate.give(())
        _ = try await line.ask(of: helper.client())
        #expect(helper.connections == 1, "those that came late are given up")
    }

    @Test("a process that does not say who it is is given up")
    func noHello() async throws {
        let gate = OneShotPromise<Void>()
        let helper = TestExtension(helloGate: gate)
        let client = helper.client { $0.startTimeout = .milliseconds(10) }
        await #expect(throws: ForceFieldError.terminated(.setupFailed(.timeout))) { try await line.ask(of: client) }
        gate.give(())
        _ = try await line.ask(of: helper.client())
        #expect(helper.connections == 1)
    }
}

struct HelperPolicyTests {
    @Test("a policy asks nothing of an extension that the system does not keep")
    func objections() {
        #expect(Policy().objectionOfHelpers == nil)
        let kept = Policy {
            ($0.lifetime, $0.deadline, $0.maxReplyBytes, $0.maxQueued) = (.perRequest, .seconds(1), 10, 3)
        }
        #expect(kept.objectionOfHelpers == nil)
        let changes: [(inout Policy) -> Void] = [
            { $0.limits.memoryBytes = 64 << 20 }, { $0.limits.cpuSeconds = 1 }, { $0.minWorkers = 1 },
            { $0.maxWorkers = 2 }, { $0.prewarm = 1 }, { $0.maxInFlight = 2 },
            { $0.lifetime = .duration(.seconds(9)) }, { $0.capabilities = [.hostCalls(["net.connect"])] },
        ]
        for change in changes { #expect(Policy(change).objectionOfHelpers != nil) }
    }
}
