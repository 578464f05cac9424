import Foundation
import Synchronization
import Testing
import Threads

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Programs of which nothing is trusted")
    struct ForeignTests {
        private func path(_ program: PlainProgram) throws -> String {
            guard case .path(let path) = try TestField.program(program.rawValue) else { return "" }
            return path
        }

        private func run(
            _ program: PlainProgram, _ change: (inout PlainRun) -> Void = { _ in }
        ) async throws -> (report: TerminationReport, out: [UInt8], errors: [UInt8]) {
            var run = PlainRun(path: try path(program))
            run.policy.startTimeout = TestField.patience
            change(&run)
            let seen = Mutex<(out: [UInt8], errors: [UInt8])>(([], []))
            let report = try await run.run { kind, bytes in
                seen.withLock { seen in
                    switch kind {
                    case .standard: seen.out += bytes
                    case .errors: seen.errors += bytes
                    }
                }
            }
            return seen.withLock { (report, $0.out, $0.errors) }
        }

        @Test("outputs are passed on, and the code is told")
        func prints() async throws {
            let (report, out, errors) = try await run(.prints)
            #expect(report.termination == .exited(code: 5))
            #expect(out == Array("out".utf8))
            #expect(errors == Array("err".utf8))
            #expect(report.layers.contains(.landlock))
        }

        @Test("whoever writes too much is killed, and no more is passed on")
        func floods() async throws {
            let (report, out, _) = try await run(.floods) { $0.outputLimit = 100_000 }
            #expect(report.termination == .killedByHost(.outputLimit))
            #expect(out.count == 100_000)
        }

        @Test("all that may be written arrives, also where it is taken slowly")
        func much() async throws {
            let (report, out, _) = try await run(.floods) { $0.outputLimit = 24 << 20 }
            #expect(report.termination == .killedByHost(.outputLimit))
            #expect(out.count == 24 << 20)
        }

        @Test("a program waits while nobody takes what it writes")
        func held() async throws {
            let isTaken = ThreadSignal()
            let owner = PlainRunOwner(FieldJournal(nil, onTermination: nil), limit: .max) { _, _ in
                isTaken.wait()
            }
            let launch = Launch(executable: try WorkerExecutable(.path("/bin/sh")), policy: Policy())
            let worker = WorkerProcess(WorkerTerms(launch: launch, channel: nil), owner: owner)
            for number in 1...PlainRunOwner.most {
                #expect(!owner.isHeld)
                owner.handle(.output(.standard, [UInt8(truncatingIfNeeded: number)]), of: worker)
            }
            #expect(owner.isHeld)
            for _ in 0..<PlainRunOwner.most { isTaken.raise() }
            await owner.journal.deliveries.drain()
            #expect(!owner.isHeld)
        }

        @Test("standard input may be a file, and a program that is done with it has ended well")
        func input() async throws {
            let file = try FileHandle(forReadingFrom: URL(filePath: "/etc/hostname"))
            let (report, out, _) = try await run(.copies) { $0.input = file.fileDescriptor }
            #expect(report.termination == .clean && !report.termination.isAbnormal)
            #expect(out == Array(try Data(contentsOf: URL(filePath: "/etc/hostname"))))
        }

        @Test("a deadline ends it")
        func deadline() async throws {
            let (report, _, _) = try await run(.waits) { $0.deadline = .milliseconds(200) }
            #expect(report.termination == .killedByHost(.deadline))
        }

        @Test("no file can be opened")
        func opens() async throws {
            #expect(try await run(.opens).report.termination == .clean)
        }

        @Test("one that speaks the protocol is a worker")
        func serves() async throws {
            let test = try TestField(program: .foreign(path: try path(.serves), arguments: []))
            #expect(try await test.act(.echo, [1, 2, 3]) == [1, 2, 3])
            await test.field.terminate()
            #expect(try await test.ends.next().termination == .clean)
        }

        @Test("one that is linked with libraries is refused by stage 0")
        func dynamic() async throws {
            var run = PlainRun(path: "/bin/true")
            run.policy.startTimeout = TestField.patience
            guard case .setupFailed(.stage(.executable, _)) = try await run.run(onOutput: { _, _ in }).termination
            else {
                Issue.record("it ran")
                return
            }
        }
    }
}
