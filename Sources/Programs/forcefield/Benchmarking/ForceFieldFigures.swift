import BasicFoundation
import ForceField
import ForceFieldWatch
import ForceFieldWire
import Scheduling

/// The figures of one worker program.
///
/// Source: `forcefield` section 24.
struct ForceFieldFigures {
    let worker: String
    let count: Int

    private var clock: ContinuousClock { ContinuousClock() }
    private static let small = [UInt8](repeating: 7, count: 64)
    private static let large = [UInt8](repeating: 7, count: 1 << 20)

    // MARK: Starts

    /// Measures the time from nothing to the first reply.
    func cold(beside peers: [Peer]) async throws -> [Comparison] {
        let commands = [[worker]] + (try peers.map { try $0.command(worker) })
        var things: [() async throws -> Duration] = [{ try await self.start() }]
        for command in commands { things.append { try self.start(command) } }
        let samples = try await Alternation.samples(count, things)
        let ours = Timing("ForceField", samples[0])
        return [
            Comparison("start to first reply, static worker", ours, against: Timing("the same, bare", samples[1]))
        ]
            + zip(peers, samples.dropFirst(2)).map { peer, samples in
                Comparison(
                    "start to first reply, static worker", ours, against: Timing(peer.rawValue, samples),
                    bar: peer == .bwrap ? 1 : nil)
            }
    }

    func dynamicStart() async throws -> [Comparison] {
        let samples = try await Alternation.samples(
            count, [{ try await self.start() }, { try self.start([self.worker]) }])
        return [
            Comparison(
                "start to first reply, dynamic worker", Timing("ForceField", samples[0]),
                against: Timing("the same, bare", samples[1]), bar: 1.5)
        ]
    }

    /// Measures the time until the lock is complete, with all layers and without some.
    func layers() async throws -> [Comparison] {
        func locked(without layers: Set<Layer>) -> () async throws -> Duration {
            { try self.lock(without: layers) }
        }
        let samples = try await Alternation.samples(
            count,
            [
                locked(without: []), locked(without: [.networkNamespace]),
                locked(without: [.seccomp, .violationReports]),
            ])
        let whole = Timing("all layers", samples[0])
        return [
            Comparison("locked in, no network namespace", Timing("without", samples[1]), against: whole),
            Comparison("locked in, no filter", Timing("without", samples[2]), against: whole),
        ]
    }

    private func start() async throws -> Duration {
        let began = clock.now
        // One that is used again: for a single-use worker the next one would start beside it.
        let field = try field { _ in }
        let reply = try await field.call(EchoRole.method, Self.small)
        let time = clock.now - began
        precondition(reply == Self.small)
        await field.terminate()
        return time
    }

    private func start(_ command: [String]) throws -> Duration {
        var reply = Self.small
        let began = clock.now
        let process = try PlainProcess(command)
        try process.echo(Self.small, into: &reply)
        let time = clock.now - began
        _ = consume process
        return time
    }

    private func lock(without layers: Set<Layer>) throws -> Duration {
        var plan = self.plan
        plan.layersOff = layers
        let worker = try WatchedWorker(plan)
        while true {
            switch worker.next(before: SteadyInstant.now + .seconds(5)) {
            case .started: return .nanoseconds(Int64(worker.setupNanoseconds))
            case .ended, .timeout: throw ForceFieldError.terminated(worker.report.termination)
            default: continue
            }
        }
    }

    // MARK: Calls

    /// Pairs of processes that the calls are spread over: the kernel puts each on one processor or on two, by chance.
    private static let pairs = 10

    /// A worker that runs already, beside a bare socket pair.
    func warm() async throws -> [Comparison] {
        var (small, large) = ([[Double]](repeating: [], count: 2), [[Double]](repeating: [], count: 2))
        for _ in 0..<Self.pairs {
            let field = try field { _ in }
            let plain = try PlainProcess([worker])
            let smallTimes = try await echoes(of: Self.small, count: 20 * count / Self.pairs, by: field, and: plain)
            let largeTimes = try await echoes(of: Self.large, count: count / Self.pairs, by: field, and: plain)
            for index in 0..<2 {
                small[index] += smallTimes[index]
                large[index] += largeTimes[index]
            }
            await field.terminate()
        }
        return [
            Comparison(
                "call of 64 bytes, warm", Timing("ForceField", small[0]), against: Timing("socket pair", small[1]),
                bar: 1.5),
            Comparison(
                "echo of 1 MiB, warm", Timing("ForceField", large[0]), against: Timing("socket pair", large[1]),
                bar: 1.3),
        ]
    }

    private func echoes(
        of message: [UInt8], count: Int, by field: ForceField, and plain: PlainProcess
    ) async throws -> [[Double]] {
        var reply = message
        return try await Alternation.samples(
            count,
            [
                {
                    try await self.clock.measure {
                        guard try await field.call(EchoRole.method, message).count == message.count else {
                            throw POSIXError(.EIO)
                        }
                    }
                },
                { try self.clock.measure { try plain.echo(message, into: &reply) } },
            ])
    }

    /// A fresh worker for each call, ready before it is needed, a hundred times a second; beside a call of a worker
    /// that stays.
    func pooled() async throws -> [Comparison] {
        let single = try field {
            $0.lifetime = .perRequest
            $0.prewarm = 2
            $0.maxWorkers = 2
        }
        let lasting = try field { _ in }
        func spaced(_ field: ForceField) -> () async throws -> Duration {
            {
                try await Task.sleep(for: .milliseconds(5))
                return try await self.clock.measure { _ = try await field.call(EchoRole.method, Self.small) }
            }
        }
        let samples = try await Alternation.samples(2 * count, [spaced(single), spaced(lasting)])
        await single.terminate()
        await lasting.terminate()
        return [
            Comparison(
                "call of 64 bytes, a fresh worker each, 100/s", Timing("ForceField", samples[0]),
                against: Timing("one worker", samples[1]), bar: 2)
        ]
    }

    // MARK: Memory

    func idleMemory() throws -> IdleMemory? { try IdleMemory(of: 100, plan) }

    private var plan: WorkerPlan {
        var plan = WorkerPlan()
        plan.program = worker
        return plan
    }

    private func field(_ change: (inout Policy) -> Void) throws -> ForceField {
        try ForceField(
            worker: .path(worker), policy: Policy(change), interface: try Interface([EchoRole.method.signature]))
    }
}
