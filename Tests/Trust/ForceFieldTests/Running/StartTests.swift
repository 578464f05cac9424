import Foundation
import TestSupport
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Workers that do not start as they should")
    struct StartTests {
        static let starts: [(HostileStart, Termination)] = [
            (.exitBeforeHello, .exited(code: 7)),
            (.badHello, .protocolViolation(.badPayload)),
            (.otherVersion, .setupFailed(.versionMismatch)),
            (.otherInterface, .setupFailed(.interfaceMismatch)),
            (.silentBeforeHello, .setupFailed(.timeout)),
            (.floodsBeforeHello, .setupFailed(.timeout)),
        ]

        @Test("the call that waits for it fails with its end", arguments: starts)
        func start(start: HostileStart, termination: Termination) async throws {
            let isSlow = termination == .setupFailed(.timeout)
            let test = try TestField(start) { if isSlow { $0.startTimeout = .seconds(1) } }
            await #expect(throws: ForceFieldError.terminated(termination)) { try await test.act(.echo) }
            #expect(try await test.ends.next().termination == termination)
            await test.field.terminate()
            #expect(test.ends.rest.isEmpty)
        }

        @Test("a half greeting is too slow, whichever clock runs out first")
        func halfHello() async throws {
            let test = try TestField(.halfHello) { $0.startTimeout = .seconds(1) }
            await #expect(throws: ForceFieldError.self) { try await test.act(.echo) }
            #expect(try await test.ends.next().termination == .setupFailed(.timeout))
            await test.field.terminate()
        }

        @Test("a crash before the greeting is a crash")
        func crash() async throws {
            let test = try TestField(.crashBeforeHello)
            await #expect(throws: ForceFieldError.terminated(.crashed(.init(signal: 6)))) { try await test.act(.echo) }
            await test.field.terminate()
        }

        @Test("a worker that greets and ends takes its call along")
        func exitAfterHello() async throws {
            let test = try TestField(.exitAfterHello)
            await #expect(throws: ForceFieldError.self) { try await test.act(.echo) }
            #expect(try await test.ends.next().termination == .exited(code: 9))
            await test.field.terminate()
        }

        @Test("workers that say goodbye at once and live on neither hold their calls nor pile up")
        func goodbye() async throws {
            let test = try TestField(.goodbyeAfterHello) { $0.shutdownGrace = .zero }
            for _ in 0..<3 {
                await #expect(throws: ForceFieldError.self) { try await test.act(.echo) }
            }
            await test.field.terminate()
            #expect(test.ends.rest.count <= 10)
        }

        @Test("of many calls none waits for a worker that cannot be had")
        func manyCalls() async throws {
            let test = try TestField(.otherInterface) { $0.maxWorkers = 4 }
            let field = test.field
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        await #expect(throws: ForceFieldError.terminated(.setupFailed(.interfaceMismatch))) {
                            try await field.call(Hostile.act, [0])
                        }
                    }
                }
            }
            await field.terminate()
        }

        @Test("a worker that never reads does not block large requests of others, nor the end")
        func deaf() async throws {
            let test = try TestField(.deafAfterHello) {
                $0.cancelGrace = .zero
                $0.prewarm = 1
                // One that takes the place of the killed one obeys no word to end.
                $0.shutdownGrace = .milliseconds(10)
            }
            // The deadline is that of the call alone, however long a start takes.
            try await test.until { $0.ready > 0 }
            await #expect(throws: ForceFieldError.deadlineExceeded) {
                try await test.act(.echo, [UInt8](repeating: 0, count: 8 << 20), deadline: .milliseconds(500))
            }
            #expect(try await test.ends.next().termination == .killedByHost(.deadline))
            await test.field.terminate()
        }

        @Test("a program that is no worker is told apart")
        func notAWorker() async throws {
            let test = try TestField(program: .path("/bin/sleep")) { $0.startTimeout = .seconds(1) }
            await #expect(throws: ForceFieldError.self) { try await test.act(.echo) }
            guard case .setupFailed = try await test.ends.next().termination else {
                Issue.record("it was taken for a worker")
                return
            }
            await test.field.terminate()
        }

        static let unusable: [WorkerProgram] = [
            .path("relative"), .path("/nowhere/at/all"), .path("/tmp"), .beside("../up"), .beside("no-such-program"),
        ]

        @Test("programs that cannot be used are refused before anything runs", arguments: unusable)
        func unusableProgram(program: WorkerProgram) throws {
            #expect(throws: ForceFieldError.self) { _ = try TestField(program: program) }
        }

        @Test(
            "as root, an executable of another user, or where others may write, is not started",
            .enabled(if: geteuid() == 0, "only root has more rights than who could put another file there"))
        func untrustedPlaces() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "forcefield-place-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for name in ["", "/open", "/sticky", "/foreign", "/closed", "/open/below"] {
                try #require(mkdir(folder + name, 0o755) == 0)
            }
            guard case .path(let program) = try TestField.program() else { return }
            func copy(_ name: String) throws -> WorkerProgram {
                try ExecutableCopy.make(of: program, at: folder + name)
                try #require(chmod(folder + name, 0o755) == 0)
                return .path(folder + name)
            }
            _ = try TestField(program: copy("/closed/worker"))
            let owned = try copy("/closed/of-another")
            try #require(chown(folder + "/closed/of-another", 12_345, 0) == 0)
            let programs = try [
                copy("/open/worker"), copy("/sticky/worker"), copy("/foreign/worker"), copy("/open/below/worker"),
            ]
            let link = folder + "/open/link"
            try #require(symlink(folder + "/closed/worker", link) == 0)
            try #require(chmod(folder + "/open", 0o777) == 0 && chmod(folder + "/sticky", 0o1777) == 0)
            try #require(chown(folder + "/foreign", 12_345, 0) == 0)
            for (program, words) in [(owned, "belongs to user 12345")]
                + (programs + [.path(link)]).map({ ($0, "others may write the folder") })
            {
                do {
                    _ = try TestField(program: program)
                    Issue.record("\(program) was taken")
                } catch let error as ForceFieldError { #expect("\(error)".contains(words), "\(error)") }
            }
        }

        /// Lets a worker end as soon as it is ready, and gives its report.
        private final class Witness: WorkerOwner {
            let reports = AsyncStream<TerminationReport>.makeStream()

            func handle(_ event: WorkerEvent, of worker: WorkerProcess) {
                switch event {
                case .isReady: worker.shutDown(within: TestField.patience, else: .shutdown)
                case .ended(let report, _): reports.continuation.yield(report)
                default: return
                }
            }
        }

        @Test("a control group that takes no process is done without")
        func noPlace() async throws {
            let policy = Policy { $0.startTimeout = TestField.patience }
            let launch = Launch(
                executable: try WorkerExecutable(TestField.program()), policy: policy,
                makeGroup: { _ in ControlGroup([.init(kind: .unified, path: "/nowhere/at/all")]) })
            let witness = Witness()
            let terms = WorkerTerms(launch: launch, channel: policy.channelTerms(interfaceHash: nil))
            WorkerProcess(terms, owner: witness).launch()
            var reports = witness.reports.stream.makeAsyncIterator()
            let report = try #require(await reports.next())
            #expect(report.termination == .clean)
            #expect(report.limits == .resourceLimits)
        }
    }
}
