import Synchronization
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Calls")
    struct CallTests {
        @Test("a deadline may be further away than any clock counts")
        func farDeadline() async throws {
            let test = try TestField()
            #expect(try await test.act(.echo, [1], deadline: .seconds(Int64.max)) == [1])
            #expect(Duration.seconds(Int64.max).wholeMilliseconds == Duration.longest.wholeMilliseconds)
            await test.field.terminate()
        }

        @Test("replies of all sizes come whole", arguments: [0, 1, 63, 65_528, 65_529, 1 << 20, 15 << 20])
        func sizes(count: Int) async throws {
            let test = try TestField()
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try await test.act(.echo, body) == body)
            await test.field.terminate()
        }

        @Test("typed values go there and back")
        func typed() async throws {
            let test = try TestField()
            #expect(try await test.field.call(Hostile.typed, ["a", "ß", ""]) == ["a", "ß", ""])
            await test.field.terminate()
        }

        @Test("a reply of another type is refused, and its worker gets no other call")
        func invalidReply() async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.invalidReply(.badTag(offset: 0, found: 0xff))) {
                try await test.field.call(Hostile.typed, ["bad"])
            }
            #expect(try await test.ends.next().termination == .clean)
            #expect(try await test.field.call(Hostile.typed, ["good"]) == ["good"])
            await test.field.terminate()
        }

        @Test("a reply that its caller refuses retires the worker")
        func refusedReply() async throws {
            struct Unbelievable: Error {}
            let test = try TestField()
            await #expect(throws: ForceFieldError.refusedReply(reason: "Unbelievable()")) {
                try await test.field.call(Hostile.typed, ["x"]) { _ in throw Unbelievable() }
            }
            #expect(try await test.ends.next().termination == .clean)
            await test.field.terminate()
        }

        @Test("an error of the worker leaves it alive")
        func workerError() async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.worker(.handlerFailed, text: "no, thank you")) {
                try await test.act(.answerError)
            }
            #expect(try await test.act(.echo) == [])
            await test.field.terminate()
            #expect(try await test.ends.next().requests == 2)
        }

        @Test("a request that is too large is not sent")
        func tooLarge() async throws {
            let test = try TestField {
                $0.maxFrameBytes = 8_192
                $0.maxReplyBytes = 8_192
            }
            await #expect(throws: ForceFieldError.requestTooLarge(bytes: 8_185, limit: 8_184)) {
                try await test.act(.echo, [UInt8](repeating: 0, count: 8_184))
            }
            #expect(test.field.summary.workers == 0)
        }

        @Test("a reply that is larger than its method allows ends the worker")
        func largeReply() async throws {
            let test = try TestField()
            let method = Method<[UInt8], [UInt8]>("act", maxReplyBytes: 100)
            await #expect(throws: ForceFieldError.terminated(.protocolViolation(.frameTooLarge))) {
                try await test.field.call(method, [UInt8](repeating: 0, count: 102))
            }
            await test.field.terminate()
        }

        @Test("many calls share few workers")
        func many() async throws {
            let test = try TestField {
                $0.maxWorkers = 2
                $0.maxInFlight = 3
            }
            let field = test.field
            let replies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<200 as Range<UInt8> {
                    group.addTask { try await field.call(Hostile.act, [0, number]) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(replies.sorted() == Array(0..<200))
            await field.terminate()
            #expect(test.ends.rest.count <= 2)
            #expect(test.ends.rest.map(\.requests).reduce(0, +) == 200)
        }

        @Test("a cancelled call ends at once, and a worker that agrees goes on")
        func cancel() async throws {
            let test = try TestField { $0.cancelGrace = TestField.patience }
            let field = test.field
            let call = try await test.begin(.waitForCancel)
            call.cancel()
            await #expect(throws: ForceFieldError.cancelled) { try await call.value }
            #expect(try await test.act(.echo, [3]) == [3])
            await field.terminate()
            #expect(try await test.ends.next().requests == 2)
        }

        @Test("a worker that ignores a cancelled call is killed")
        func ignoredCancel() async throws {
            let test = try TestField { $0.cancelGrace = .milliseconds(10) }
            let field = test.field
            let call = try await test.begin(.silence)
            call.cancel()
            await #expect(throws: ForceFieldError.cancelled) { try await call.value }
            #expect(try await test.ends.next().termination == .killedByHost(.cancelled))
            await field.terminate()
        }

        @Test("a deadline also holds in the queue")
        func queueDeadline() async throws {
            let test = try TestField()
            let field = test.field
            let first = try await test.begin(.silence)
            await #expect(throws: ForceFieldError.deadlineExceeded) {
                try await test.act(.echo, deadline: .milliseconds(50))
            }
            #expect(field.summary.waitingCalls == 0)
            first.cancel()
            await field.terminate()
        }

        @Test("a call whose deadline is over before it is made ends no worker, and nothing is held against its input")
        func overdue() async throws {
            let test = try TestField()
            #expect(try await test.act(.echo, [1]) == [1])
            for _ in 0..<3 {
                await #expect(throws: ForceFieldError.deadlineExceeded) {
                    try await test.act(.echo, [1], deadline: .zero)
                }
            }
            #expect(try await test.act(.echo, [1]) == [1])
            let summary = test.field.summary
            #expect(summary.quarantined == 0 && summary.spawnDelay == .zero)
            await test.field.terminate()
            #expect(test.ends.rest.count == 1)
        }

        @Test("more calls than may wait are refused")
        func overload() async throws {
            let test = try TestField { $0.maxQueued = 1 }
            let field = test.field
            let call = try await test.begin(.silence)
            let waiting = Task { try await field.call(Hostile.act, [HostileAct.silence.rawValue]) }
            try await test.until { $0.waitingCalls > 0 }
            await #expect(throws: ForceFieldError.overloaded(waiting: 1)) { try await test.act(.echo) }
            for call in [call, waiting] { call.cancel() }
            await field.terminate()
        }

        @Test("progress comes in order before the reply")
        func progress() async throws {
            let test = try TestField()
            let seen = Mutex<[CallProgress]>([])
            _ = try await test.act(
                .progress, options: CallOptions { $0.onProgress = { report in seen.withLock { $0.append(report) } } })
            await test.field.terminate()
            // What came late is left out.
            #expect([[], [1], [1, 4]].contains(seen.withLock { $0.map(\.done) }))
        }

        @Test("workers that agree are believed, others are not")
        func agreement() async throws {
            let test = try TestField { $0.maxWorkers = 2 }
            #expect(try await test.act(.echo, [9]) == [9])
            #expect(try await test.field.callAgreeing(Hostile.act, [0, 1, 2], count: 3) == [1, 2])
            await #expect(throws: ForceFieldError.disagreement) {
                try await test.field.callAgreeing(Hostile.act, [HostileAct.random.rawValue])
            }
            await test.field.terminate()
            #expect(test.ends.rest.filter { $0.requests > 0 }.count >= 5)
        }

        @Test(
            "an input that has ended two workers is refused, unless the call says otherwise",
            arguments: [
                (HostileAct.exit, Termination.exited(code: 0)), (.goodbyeInCall, .protocolViolation(.badState)),
            ])
        func quarantine(act: HostileAct, termination: Termination) async throws {
            let test = try TestField()
            let ended = ForceFieldError.terminated(termination)
            for _ in 0..<2 { await #expect(throws: ended) { try await test.act(act) } }
            await #expect(throws: ForceFieldError.quarantined) { try await test.act(act) }
            #expect(test.field.summary.quarantined == 1)
            #expect(try await test.act(.echo, [1]) == [1])
            await #expect(throws: ended) {
                try await test.act(act, options: CallOptions { $0.acceptsQuarantined = true })
            }
            await test.field.terminate()
        }

        @Test("who shares a worker with an input that ends it is not refused, and that input is in the end")
        func company() async throws {
            let test = try TestField { $0.maxInFlight = 2 }
            let field = test.field
            let ended = ForceFieldError.terminated(.exited(code: 0))
            // Both are open when the worker ends, so that neither is known to have done it.
            let open = try await test.begin(.leaveOpen)
            await #expect(throws: ended) { try await test.act(.exit) }
            await #expect(throws: ended) { try await open.value }
            #expect(field.summary.quarantined == 0)
            // Each has a worker of its own now.
            for _ in 0..<2 { await #expect(throws: ended) { try await test.act(.exit) } }
            await #expect(throws: ForceFieldError.quarantined) { try await test.act(.exit) }
            #expect(field.summary.quarantined == 1)
            await field.terminate()
        }
    }
}
