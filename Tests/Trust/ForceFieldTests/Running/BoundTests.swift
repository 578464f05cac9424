import Foundation
import Synchronization
import TestSupport
import Testing
import Threads

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Nothing is left, and nothing grows")
    struct BoundTests {
        /// Runs a host of its own, as what is counted is a process's.
        ///
        /// - Returns: the lines that it prints, and its number.
        private func start(_ arguments: String...) async throws -> (lines: [String], id: pid_t) {
            let path = Bundle.main.bundleURL.appending(path: "ForceFieldTestHost").path
            let program = try ChildProgram(path, arguments, diesWithOwner: true)
            let (status, lines) = await program.outcome()
            try #require(status == 0, "\(lines)")
            return (lines, program.id)
        }

        /// Enough for a leak of every hundredth. The environment may ask for ten thousand.
        private static let count =
            ProcessInfo.processInfo.environment["FORCEFIELD_ALL_SPAWNS"] == nil ? "1500" : "10000"

        @Test("many workers leave no descriptor, thread, process, mount and control group behind")
        func leaks() async throws {
            let (lines, id) = try await start("workers", Self.count)
            try #require(lines.count == 3, "\(lines)")
            let counts = lines.suffix(2).map { $0.split(separator: " ").compactMap { Int($0) } }
            try #require(counts.allSatisfy { $0.count == 4 }, "\(lines)")
            let (before, after) = (counts[0], counts[1])
            #expect(lines[0] == Self.count)
            #expect(after[0] <= before[0], "descriptors")
            // Swift's pool may have got a thread more, once.
            #expect(after[1] <= before[1] + 4, "threads")
            #expect(after[2] == 0, "children")
            #expect(after[3] <= before[3], "mounts")
            let groups = (ControlGroups.own?.parents ?? []).flatMap { parent in
                ((try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [])
                    .filter { $0.hasPrefix("forcefield-\(id)-") }
            }
            #expect(groups == [])
            print(
                "forcefield: \(lines[0]) workers, descriptors threads children mounts before \(lines[1]), after \(lines[2])"
            )
        }

        @Test("whatever of a start is killed, and whenever, no call hangs and no process is left")
        func deaths() async throws {
            #expect(try await start("deaths", "60").lines.last == "true 0")
        }

        @Test("without room for descriptors a start fails, leaves no process, and succeeds when there is room")
        func exhaustion() async throws {
            #expect(try await start("exhaustion").lines.last == "true 0")
        }

        @Test("connections take so many threads at a time, and no more")
        func connectThreads() async throws {
            let threads = ConnectThreads(limit: 2)
            let (began, beginnings) = AsyncStream<Void>.makeStream()
            let mayEnd = ThreadSignal()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<2 {
                    group.addTask {
                        try await threads.run {
                            beginnings.yield()
                            mayEnd.wait()
                            return number
                        }
                    }
                }
                var iterator = began.makeAsyncIterator()
                for _ in 0..<2 { await iterator.next() }
                await #expect(throws: BrokerRefusal.self) { try await threads.run { 7 } }
                for _ in 0..<2 { mayEnd.raise() }
                let sum = try await group.reduce(0, +)
                #expect(sum == 1)
            }
            #expect(try await threads.run { 7 } == 7)
        }

        @Test("workers start while 64 threads are busy")
        func busyThreads() async throws {
            let isOver = Flag()
            for _ in 0..<64 {
                SystemThread.start {
                    // They hold the allocator's locks at all times, and leave the processor to the tests beside.
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                    var kept: [[UInt8]] = []
                    while !isOver.isSet {
                        kept.append([UInt8](repeating: 1, count: 1_000))
                        if kept.count > 100 { kept = [] }
                    }
                }
            }
            defer { isOver.set() }
            let test = try TestField {
                $0.lifetime = .perRequest
                $0.maxWorkers = 8
            }
            let field = test.field
            let replies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<24 as Range<UInt8> {
                    group.addTask { try await field.call(Hostile.act, [0, number]) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(replies.sorted() == Array(0..<24))
            await field.terminate()
        }

        @Test(
            "a flood does not grow the host",
            arguments: [
                HostileAct.floodLog, .floodProgress, .floodErrors, .floodOutput, .floodSurface, .floodNetwork,
            ])
        func floods(act: HostileAct) async throws {
            #expect(try await cost(of: act).bytes < 32 << 20)
        }

        @Test(
            "a flood of what the host drops costs it little time, whatever it costs the worker",
            arguments: [HostileAct.floodLog, .floodProgress, .floodErrors, .floodOutput])
        func cheapFloods(act: HostileAct) async throws {
            // Of two seconds. Without a limit a free machine spends most of them.
            #expect(try await cost(of: act).milliseconds < 500)
        }

        /// What a worker's act costs its host: bytes of memory, and time of its processors.
        private func cost(of act: HostileAct) async throws -> (bytes: Int, milliseconds: Int) {
            let words = try await start("flood", "\(act.rawValue)").lines.last?.split(separator: " ") ?? []
            try #require(words.count == 3 && words[1] == "true", "\(words)")
            return (try #require(Int(words[0])), try #require(Int(words[2])))
        }

        @Test("a reply of 15 MiB that is only claimed takes no memory")
        func claim() async throws {
            // A page of the largest size that the system may give at once is 2 MiB.
            #expect(try await cost(of: .lieAboutLength).bytes < 4 << 20)
        }

        @Test("items that nobody consumes do not grow the host")
        func items() async throws {
            let words = try await start("items").lines.last?.split(separator: " ") ?? []
            try #require(words.count == 2 && words[1] == "true", "\(words)")
            #expect(try #require(Int(words[0])) < 32 << 20)
        }

        @Test("the last 64 KiB of standard error are kept, in order")
        func tail() {
            var tail = OutputTail()
            var all: [UInt8] = []
            for number in 0..<300 {
                let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 + number * 7)
                all += piece
                piece.withUnsafeBytes { tail.append($0) }
                #expect(tail.bytes == Array(all.suffix(OutputTail.limit)))
            }
            let large = [UInt8](repeating: 9, count: 1 << 20)
            large.withUnsafeBytes { tail.append($0) }
            #expect(tail.bytes == [UInt8](repeating: 9, count: OutputTail.limit))
        }
    }
}
