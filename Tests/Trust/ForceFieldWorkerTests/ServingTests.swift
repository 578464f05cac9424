#if os(Linux)
    import CForceField
    import ForceField
    import ForceFieldTestMethods
    import ForceFieldTestSupport
    import ForceFieldWire
    import Foundation
    import Testing

    /// What a worker does, and how it is seen to end.
    private let endings: [(TestMethods.Ending, WorkerProcess.End)] = [
        (.exit, .init(0)), (.exitWithCode, .init(7)), (.missingValue, .init(128 + SIGILL)),
        (.abort, .init(128 + SIGABRT)), (.fault, .init(128 + SIGSEGV)), (.allocation, .init(128 + SIGABRT)),
        (.listen, .init(128 + SIGKILL, forbidden: "listen")),
    ]

    @Suite(.serialized) struct ServingTests {
        private func serving(_ walls: Walls, role: String = "all") throws -> WorkerProcess {
            let worker = try WorkerProcess(walls, role: role)
            try worker.welcome()
            return worker
        }

        @Test("calls are answered, small and large", arguments: Walls.possible)
        func calls(walls: Walls) throws {
            let worker = try serving(walls)
            #expect(try worker.call(TestMethods.add, .init(left: 2, right: 40)) == 42)
            for count in [0, 1, 4_096, 1 << 20, 16 << 20 - 8] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                #expect(try worker.call(TestMethods.echo, bytes) == bytes)
            }
        }

        @Test("a policy's configuration reaches handlers")
        func configuration() throws {
            let worker = try WorkerProcess(.none)
            try worker.welcome(configuration: FFV1.encode("grey"))
            #expect(try worker.call(TestMethods.configured, 0) == "grey")
        }

        @Test(
            "sleeping, actors, groups, detached tasks and the main actor work on one thread", arguments: Walls.possible)
        func concurrency(walls: Walls) throws {
            let worker = try serving(walls)
            #expect(try worker.call(TestMethods.concurrent, 300) == 300 * 299 / 2)
            #expect(try worker.call(TestMethods.sleep, 20) >= 20)
        }

        @Test("requests take turns where they wait", arguments: Walls.possible)
        func turns(walls: Walls) throws {
            let worker = try serving(walls, role: "two")
            let slow = try worker.request(TestMethods.sleep, 3_600_000)
            let fast = try worker.request(TestMethods.add, .init(left: 1, right: 1))
            guard case .response(fast, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            try worker.cancel(slow)
            guard case .error(slow, .cancelled, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
        }

        @Test("a stream sends as much as the host wants, and no more", arguments: Walls.possible)
        func stream(walls: Walls) throws {
            let worker = try serving(walls, role: "two")
            let id = try worker.stream(TestMethods.count, 5)
            // Nothing comes without credit but the answer to another request.
            #expect(try worker.call(TestMethods.add, .init(left: 1, right: 1)) == 2)
            try worker.credit(id, 2)
            for number in 0..<2 { #expect(try worker.next() == .item(id, FFV1.encode(number), isLast: false)) }
            #expect(try worker.call(TestMethods.add, .init(left: 1, right: 1)) == 2)
            try worker.credit(id, 10)
            for number in 2..<5 { #expect(try worker.next() == .item(id, FFV1.encode(number), isLast: false)) }
            #expect(try worker.next() == .item(id, [], isLast: true))
        }

        @Test("a stream that waits for credit ends when it is cancelled")
        func cancelledStream() throws {
            let worker = try serving(.none)
            let id = try worker.stream(TestMethods.rawItems, [1, 2, 3])
            try worker.credit(id, 1)
            #expect(try worker.next() == .item(id, [1], isLast: false))
            try worker.cancel(id)
            guard case .error(id, .cancelled, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            #expect(try worker.call(TestMethods.add, .init(left: 1, right: 1)) == 2)
        }

        @Test("a task that a handler left behind, waiting to send an item, is told that the request has ended")
        func leftTask() throws {
            let worker = try serving(.none)
            let id = try worker.stream(TestMethods.leave, 1)
            guard case .error(id, .handlerFailed, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            #expect(try worker.next() == .log(.notice, Array("the request has been answered already".utf8)))
            #expect(try worker.call(TestMethods.add, .init(left: 1, right: 1)) == 2)
        }

        @Test("cancelling ends handlers that sleep and handlers that yield", arguments: Walls.possible)
        func cancellation(walls: Walls) throws {
            let worker = try serving(walls)
            for id in [try worker.request(TestMethods.sleep, 3_600_000)] {
                try worker.cancel(id)
                guard case .error(id, .cancelled, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            }
            let id = try worker.request(TestMethods.yield, 0)
            try worker.cancel(id)
            guard case .error(id, .cancelled, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
        }

        @Test("at the deadline a handler is cancelled, and says so", arguments: Walls.possible)
        func deadline(walls: Walls) throws {
            let worker = try serving(walls)
            let id = try worker.request(TestMethods.sleep, 3_600_000, deadline: .milliseconds(30))
            guard case .error(id, .deadlineExceeded, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
        }

        @Test("progress and log lines come before the reply; progress never goes back")
        func reports() throws {
            let worker = try serving(.none)
            let id = try worker.request(TestMethods.report, 3)
            for step in 0...3 { #expect(try worker.next() == .progress(id, done: UInt64(step), total: 3)) }
            #expect(try worker.next() == .log(.notice, Array("done".utf8)))
            #expect(try worker.next() == .response(id, FFV1.encode(3)))
        }

        @Test("a handler asks its host, and gets the answer or the refusal", arguments: Walls.possible)
        func hostCalls(walls: Walls) throws {
            let worker = try serving(walls)
            let id = try worker.request(TestMethods.ask, "Ada")
            guard case .hostCall(let call, MethodID(name: "test.greet"), let body) = try worker.next() else {
                throw WorkerProcess.Unexpected()
            }
            try worker.answer(call, FFV1.encode("Hello, \(FFV1.decode(String.self, from: body))"))
            #expect(try worker.next() == .response(id, FFV1.encode("Hello, Ada")))

            let other = try worker.request(TestMethods.ask, "Bob")
            guard case .hostCall(let second, _, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            try worker.refuse(second, .handlerFailed, text: "not at home")
            guard case .error(other, .handlerFailed, let text) = try worker.next() else {
                throw WorkerProcess.Unexpected()
            }
            #expect(String(decoding: text, as: UTF8.self).contains("not at home"))
        }

        @Test("a descriptor that comes with a request is read in place", arguments: Walls.possible)
        func descriptors(walls: Walls) throws {
            let worker = try serving(walls)
            let path = NSTemporaryDirectory() + "forcefield-\(UUID())"
            try Data("a file of the host".utf8).write(to: URL(filePath: path))
            defer { unlink(path) }
            for _ in 0..<40 {
                let file = open(path, O_RDONLY)
                defer { close(file) }
                #expect(
                    try worker.call(TestMethods.readDescriptor, 5, descriptor: file).array
                        == Array("e of the host".utf8))
            }
        }

        @Test("SHUTDOWN ends the worker with GOODBYE, whatever is open", arguments: Walls.possible)
        func shutdown(walls: Walls) throws {
            let worker = try serving(walls)
            let id = try worker.request(TestMethods.sleep, 3_600_000)
            try worker.send(Frame.shutdown)
            guard case .error(id, .cancelled, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            #expect(try worker.next() == .goodbye)
            #expect(try worker.end() == .init(0))
        }

        @Test("the end of the channel ends the worker", arguments: Walls.possible)
        func endOfFile(walls: Walls) throws {
            let worker = try serving(walls)
            try worker.request(TestMethods.sleep, 3_600_000)
            worker.hangUp()
            #expect(try worker.end() == .init(0))
        }

        @Test(
            "a handler that ends the process is seen for what it did", .enabled(if: Machine.isStrict),
            arguments: endings)
        func endsAsSeen(ending: TestMethods.Ending, end: WorkerProcess.End) throws {
            let worker = try serving(.forceField)
            try worker.request(TestMethods.end, ending)
            #expect(try worker.end() == end)
        }

        @Test("a lock at ready is complete before the first byte of the host is read", .enabled(if: Machine.isStrict))
        func lockAtReady() throws {
            let worker = try WorkerProcess(.forceField, policy: { $0.flags |= cforcefield_policy_lock_ready.rawValue })
            try worker.welcome()
            #expect(try worker.call(TestMethods.concurrent, 50) == 50 * 49 / 2)
            try worker.request(TestMethods.end, .listen)
            #expect(try worker.end() == WorkerProcess.End(128 + SIGKILL, forbidden: "listen"))
        }
    }
#endif
