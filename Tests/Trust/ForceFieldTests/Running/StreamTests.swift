import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Streams")
    struct StreamTests {
        @Test("all items come, in order", arguments: [0, 1, 15, 16, 17, 200])
        func items(count: UInt8) async throws {
            let test = try TestField()
            var items: [UInt8] = []
            for try await item in test.field.stream(Hostile.stream, [HostileAct.items.rawValue, count]) {
                items.append(item[0])
            }
            #expect(items == Array(0..<count))
            await test.field.terminate()
        }

        @Test("a worker waits for its consumer")
        func credit() async throws {
            let test = try TestField { $0.streamCredit = 4 }
            let stream = test.field.stream(Hostile.stream, [HostileAct.endlessItems.rawValue])
            var iterator = stream.makeAsyncIterator()
            for number in 0..<100 as Range<UInt8> { #expect(try await iterator.next()?.first == number) }
            await test.field.terminate()
        }

        @Test("a consumer that stops leaves the worker to others")
        func stop() async throws {
            let test = try TestField { $0.cancelGrace = TestField.patience }
            for try await item in test.field.stream(Hostile.stream, [HostileAct.endlessItems.rawValue])
            where item[0] == 50 {
                break
            }
            #expect(try await test.act(.echo, [1]) == [1])
            await test.field.terminate()
            #expect(try await test.ends.next().requests == 2)
        }

        @Test(
            "items that may not come end the worker",
            arguments: [HostileAct.itemsWithoutCredit, .itemsOutOfSequence])
        func badStream(act: HostileAct) async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.terminated(.protocolViolation(.badStream))) {
                for try await _ in test.field.stream(Hostile.stream, [act.rawValue]) {}
            }
            await test.field.terminate()
        }

        @Test("a stream ends with its worker")
        func exit() async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.terminated(.exited(code: 0))) {
                for try await _ in test.field.stream(Hostile.stream, [HostileAct.itemsThenExit.rawValue]) {}
            }
            await test.field.terminate()
        }

        @Test("a deadline ends a stream")
        func deadline() async throws {
            let test = try TestField { $0.cancelGrace = .zero }
            await #expect(throws: ForceFieldError.deadlineExceeded) {
                for try await _ in test.field.stream(
                    Hostile.stream, [HostileAct.endlessItems.rawValue], deadline: .milliseconds(300))
                {}
            }
            await test.field.terminate()
        }
    }
}
