import Scheduling
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Which workers there are")
    struct PoolTests {
        @Test("a single-use worker answers one call")
        func perRequest() async throws {
            let test = try TestField { $0.lifetime = .perRequest }
            for number in 0..<20 as Range<UInt8> { #expect(try await test.act(.echo, [number]) == [number]) }
            await test.field.terminate()
            let reports = test.ends.rest
            #expect(reports.map(\.requests).max() == 1)
            #expect(reports.map(\.requests).reduce(0, +) == 20)
        }

        @Test("a spare is there before the next call")
        func spare() async throws {
            let test = try TestField { $0.lifetime = .perRequest }
            _ = try await test.act(.echo)
            try await test.until { $0.ready > 0 }
            await test.field.terminate()
        }

        @Test("workers are warmed before the first call, and kept")
        func prewarm() async throws {
            let test = try TestField {
                $0.maxWorkers = 3
                $0.prewarm = 2
                $0.lifetime = .idle(.milliseconds(20))
            }
            try await test.until { $0.ready >= 2 }
            try await Task.sleep(for: .milliseconds(100))
            #expect(test.field.summary.ready == 2)
            await test.field.terminate()
        }

        @Test("a worker is replaced after its calls are used up")
        func requests() async throws {
            let test = try TestField { $0.lifetime = .requests(3) }
            for _ in 0..<7 { _ = try await test.act(.echo) }
            await test.field.terminate()
            #expect(test.ends.rest.map(\.requests).sorted() == [1, 3, 3])
            #expect(test.ends.rest.allSatisfy { $0.termination == .clean })
        }

        @Test("an idle worker goes")
        func idle() async throws {
            let test = try TestField { $0.lifetime = .idle(.milliseconds(20)) }
            _ = try await test.act(.echo)
            #expect(try await test.ends.next().termination == .clean)
            // Its end is told before it is counted out.
            try await test.until { $0.workers == 0 }
            await test.field.terminate()
        }

        @Test("the warden keeps a worker's lifetime")
        func lifetime() async throws {
            // What ends before it has started was no life, and on a busy machine a start takes a while.
            for seconds in [0.2, 20, 200] {
                let test = try TestField {
                    $0.lifetime = .duration(.seconds(seconds))
                    $0.shutdownGrace = .milliseconds(10)
                }
                let error = await #expect(throws: ForceFieldError.self) { try await test.act(.silence) }
                await test.field.terminate()
                if case .terminated(.setupFailed) = error { continue }
                #expect(error == .terminated(.killedByOS(.lifetime)))
                return
            }
            Issue.record("no worker starts within minutes")
        }

        @Test("workers that end one after the other are made more slowly")
        func throttle() async throws {
            let test = try TestField()
            let began = SteadyInstant.now
            for number in 0..<3 as Range<UInt8> {
                await #expect(throws: ForceFieldError.self) { try await test.act(.exitWithCode, [number]) }
            }
            #expect(try await test.act(.echo) == [])
            // 0.1 s before the third, and 0.2 s before the fourth.
            #expect(SteadyInstant.now - began >= .milliseconds(300))
            await test.field.terminate()
        }

        @Test("a reply that is refused breaks the row of good calls that would take the wait away")
        func refusedReply() async throws {
            let test = try TestField()
            for number in 0..<2 as Range<UInt8> {
                await #expect(throws: ForceFieldError.self) { try await test.act(.exitWithCode, [number]) }
            }
            for _ in 0..<99 { _ = try await test.field.call(Hostile.typed, []) }
            await #expect(throws: ForceFieldError.invalidReply(.badTag(offset: 0, found: 0xff))) {
                try await test.field.call(Hostile.typed, ["bad"])
            }
            _ = try await test.field.call(Hostile.typed, [])
            let began = SteadyInstant.now
            await #expect(throws: ForceFieldError.self) { try await test.act(.exitWithCode, [2]) }
            #expect(try await test.act(.echo) == [])
            #expect(SteadyInstant.now - began >= .milliseconds(200))
            await test.field.terminate()
        }

        @Test("in the background workers are killed in time, and calls refused")
        func background() async throws {
            let test = try TestField()
            _ = try await test.act(.echo)
            test.field.enterBackground(grace: .milliseconds(50))
            await #expect(throws: ForceFieldError.inBackground) { try await test.act(.echo) }
            #expect(try await test.ends.next().termination == .killedByHost(.background))
            test.field.enterForeground()
            #expect(try await test.act(.echo, [1]) == [1])
            await test.field.terminate()
        }

        @Test("whoever is back in time keeps its workers")
        func foreground() async throws {
            let test = try TestField()
            _ = try await test.act(.echo)
            test.field.enterBackground(grace: TestField.patience)
            test.field.enterForeground()
            _ = try await test.act(.echo)
            await test.field.terminate()
            #expect(try await test.ends.next().requests == 2)
        }

        @Test("short memory takes idle workers")
        func memoryPressure() async throws {
            let test = try TestField {
                $0.maxWorkers = 3
                $0.minWorkers = 3
            }
            try await test.until { $0.ready >= 3 }
            test.field.handleMemoryPressure(.critical)
            #expect(try await test.ends.next().termination == .clean)
            #expect(try await test.ends.next().termination == .clean)
            await test.field.terminate()
        }

        @Test("a field that is forgotten takes its workers along")
        func forgotten() async throws {
            let ends: Ends
            do {
                let test = try TestField()
                _ = try await test.act(.echo)
                #expect(test.field.summary.wardenIDs.count == 1)
                ends = test.ends
            }
            #expect(try await ends.next().termination == .clean)
        }
    }
}
