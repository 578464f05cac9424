#if os(Linux)
    import ForceField
    import ForceFieldWire
    import Testing

    @testable import ForceFieldKnownAnswers
    @testable import ForceFieldWatch

    /// The end of a process and that of its channel are heard in any order.
    @Suite(
        "A call of one worker", .serialized, .enabled(if: LiveWorkers.obstacle == nil, "no strict worker starts here"))
    struct CallSessionTests {
        private static let echo = Method<[UInt8], [UInt8]>("echo")
        private static let patience = Duration.seconds(300)

        /// Asks a worker, hears of its end before of what it sent, and asks what came.
        private func outcome(
            _ command: WorkerCommand, _ body: [UInt8]
        ) throws -> (outcome: CallSession.Outcome, termination: Termination) {
            let worker = try WatchedWorker(LiveWorkers.plan)
            worker.send(command)
            let session = CallSession(
                worker, terms: ChannelTerms(interfaceHash: try Interface([Self.echo.signature]).hash))
            try #require(session.begin(within: Self.patience))
            let outcome = try session.call(
                MethodID(name: "echo"), body: body, maxReply: 1_000, deadline: Self.patience)
            session.end()
            return (outcome, worker.report.termination)
        }

        @Test("half an answer before the end is a broken protocol, every time", arguments: 0..<40)
        func halfAnswer(_: Int) throws {
            let (outcome, termination) = try outcome(.halfAnswerAndExit, [UInt8](repeating: 1, count: 600))
            #expect(outcome == .ended)
            #expect(termination == .protocolViolation(.truncated))
        }

        @Test("a whole answer before the end is an answer, every time", arguments: 0..<40)
        func wholeAnswer(_: Int) throws {
            let (outcome, termination) = try outcome(.answerAndExit, [1, 2, 3])
            #expect(outcome == .reply([1, 2, 3]))
            // Whether it was still there to be asked to end is a matter of time.
            #expect(termination == .exited(code: 0) || termination == .clean)
        }
    }
#endif
