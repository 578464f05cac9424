#if os(Linux)
    import CodeMeasurement
    import Foundation
    import Synchronization
    import TestSupport
    import Testing
    import Threads

    @testable import Vigil
    @testable import VigilValidator

    /// Somebody who connects again and again, or takes what all processes share.
    ///
    /// Each test is a process of its own: what it uses up is that of a whole one.
    ///
    /// Source: `vigil` section 7.8.
    @Suite("A validator that is flooded", .timeLimit(.minutes(30)))
    struct FloodTests {
        /// A validator behind a real socket.
        private final class Site: Sendable {
            let folder: TemporaryFolder
            let listener: UnixListener
            let pair: Pair
            let engine: VigilValidatorEngine
            private let start = DispatchSemaphore(value: 0)

            init(_ change: (inout ValidatorPolicy) -> Void = { _ in }) throws {
                folder = try TemporaryFolder()
                listener = try UnixListener(at: folder.path("v.sock"))
                pair = try Pair(change)
                engine = try #require(pair.engine.withLock { $0 })
                SystemThread.start { [start, engine, listener] in
                    start.wait()
                    try? engine.run(listener)
                }
            }

            deinit {
                run()
                listener.close()
                engine.stop()
            }

            var deadline: Deadline { SuspendingClock().now.advanced(by: .seconds(600)) }

            /// Begins to accept.
            func run() { start.signal() }

            func connect() throws -> UnixSocketChannel {
                try UnixSocketChannel.connect(to: listener.path, until: deadline)
            }

            /// What the validator says first.
            func greeting(over channel: UnixSocketChannel) throws -> MessageType {
                try channel.receive(until: deadline).header().type
            }
        }

        private static var threads: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        }

        @Test("it has threads for those whom it lets in, and none for the others")
        func threads() async {
            await #expect(processExitsWith: .success) {
                let site = try Site { $0.limits.handshakesPerSecond = 1000 }
                site.run()
                #expect(try site.greeting(over: site.connect()) == .challenge)
                let before = FloodTests.threads
                var most = 0
                for round in 0..<2_000 {
                    _ = try site.connect()
                    if round % 50 == 0 { most = max(most, FloodTests.threads) }
                }
                // Pending ones, those with a place, and the looks of both.
                let limits = ValidatorPolicy.Limits()
                #expect(most - before <= 2 * (limits.pendingOfUser + limits.connectionsOfUser))
                #expect(site.engine.finish(within: .seconds(600)))
                var type = MessageType.failure
                while type != .challenge { type = try site.greeting(over: site.connect()) }
            }
        }

        @Test(
            "of strangers who connect again and again it logs some, says how many it left out, and serves others meanwhile"
        )
        func strangers() async {
            await #expect(processExitsWith: .success) {
                let site = try Site { $0.limits.pendingOfUser = 1000 }
                site.run()
                site.pair.atApp.change { $0.stranger = Refusal(.peerIdentity, "not the installed program") }
                let begin = SuspendingClock().now
                let count = 200
                for _ in 0..<count { #expect(try site.greeting(over: site.connect()) == .failure) }
                #expect(site.engine.finish(within: .seconds(600)))
                let seconds = Int(begin.duration(to: SuspendingClock().now) / .seconds(1)) + 1
                let verdicts = site.pair.verdicts.withLock { $0 }
                #expect(verdicts.allSatisfy { $0.occasion == .connection && $0.refusal?.reason == .peerIdentity })
                #expect((1...RefusedConnections.burst + seconds).contains(verdicts.count), "\(verdicts.count)")
                #expect(verdicts.count + verdicts.map(\.details.suppressed).reduce(0, +) <= count)
                site.pair.atApp.change { $0.stranger = nil }
                #expect(try site.greeting(over: site.connect()) == .challenge)
            }
        }

        @Test("without a thread to give it says that it is busy, and goes on")
        func noThread() async {
            await #expect(processExitsWith: .success) {
                let site = try Site()
                let early = try site.connect()
                let answer = try Scarcity.ofThreads {
                    site.run()
                    return try site.greeting(over: early)
                }
                #expect(answer == .failure)
                #expect(try site.greeting(over: site.connect()) == .challenge)
            }
        }

        @Test("it keeps descriptors for those whom it has let in")
        func noDescriptor() async {
            await #expect(processExitsWith: .success) {
                let site = try Site()
                site.run()
                let answer = try Scarcity.ofDescriptors(128, free: 8) { try site.greeting(over: site.connect()) }
                #expect(answer == .failure)
                #expect(try site.greeting(over: site.connect()) == .challenge)
            }
        }

        @Test("without a thread a call has no answer, a look is refused as busy, and work is done one after the other")
        func noThreadElsewhere() async {
            await #expect(processExitsWith: .success) {
                let pair = try Pair()
                let inspections = AppInspections(time: .seconds(600))
                let answers = Mutexed<[[UInt8]?]>([])
                let responder = ExchangeResponder(peer: nil) { _ in }
                let member = QuorumMember("one", keyID: pair.validatorKey.pinned.id, client: pair.client())
                let quorum = try QuorumPolicy([member], required: 1)
                let monitor = Monitor(
                    pair.client(), policy: MonitorPolicy(), distrust: DistrustResponse(DistrustPolicy())
                ) { _ in }
                let (look, work, verdict, isMonitoring) = try Scarcity.ofThreads {
                    for call in [[0, 0, 0, 1, 9], Array("{}".utf8)] as [[UInt8]] {
                        responder.exchange(call) { answers.set(answers.value + [$0]) }
                    }
                    return (
                        Result { () throws(Refusal) in try inspections.run(of: 1, .session) { pair.atApp.looks } },
                        try Concurrently { 5 }.value(), quorum.validate(within: .seconds(600)), monitor.start()
                    )
                }
                #expect(answers.value == [nil, nil])
                #expect(throws: Refusal(.busy, "the app was not looked at: the system has no thread to give")) {
                    try look.get()
                }
                #expect(work == 5 && !isMonitoring)
                #expect(verdict.report.result == .timeout)
            }
        }
    }
#endif
