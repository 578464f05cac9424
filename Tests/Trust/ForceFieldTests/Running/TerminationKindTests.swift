import Foundation
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Each way to end is told apart")
    struct TerminationKindTests {
        static let violations: [(HostileAct, ProtocolViolation)] = [
            (.claimHugeFrame, .frameTooLarge), (.helloAgain, .badState), (.replyTwice, .unknownRequest),
            (.replyToAnother, .unknownRequest), (.badCheckWord, .badHeader), (.lieLater, .badHeader),
            (.unknownType, .badType),
            (.itemForUnary, .badState), (.lieAboutLength, .stalled), (.halfHeader, .stalled), (.halfBody, .stalled),
            (.drip, .stalled), (.closeAndLive, .channelClosed), (.ungrantedCall, .capabilityDenied),
            (.goodbyeInCall, .badState),
        ]

        @Test("a broken protocol ends the worker by its name", arguments: violations)
        func violation(act: HostileAct, violation: ProtocolViolation) async throws {
            let test = try TestField()
            do {
                _ = try await test.act(act)
                // One reply was good, and then came another.
                #expect(act == .replyTwice || act == .lieLater)
            } catch { #expect(error == .terminated(.protocolViolation(violation))) }
            #expect(try await test.ends.next().termination == .protocolViolation(violation))
            await test.field.terminate()
        }

        static let ends: [(HostileAct, Termination)] = [
            (.exit, .exited(code: 0)), (.exitWithCode, .exited(code: 1)),
            (.halfBodyAndExit, .protocolViolation(.truncated)),
        ]

        @Test("half a frame before the end is told every time, whatever is heard first", arguments: 0..<20)
        func halfFrame(_: Int) async throws {
            let test = try TestField()
            let expected = Termination.protocolViolation(.truncated)
            await #expect(throws: ForceFieldError.terminated(expected)) { try await test.act(.halfBodyAndExit) }
            #expect(try await test.ends.next().termination == expected)
            await test.field.terminate()
        }

        @Test("a worker that ends by itself", arguments: ends)
        func end(act: HostileAct, termination: Termination) async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.terminated(termination)) { try await test.act(act) }
            #expect(try await test.ends.next().termination == termination)
            await test.field.terminate()
        }

        static let crashes: [(HostileAct, Int32)] = [(.unwrapNil, 4), (.abort, 6), (.fault, 11), (.complain, 6)]

        @Test("a worker that crashes, by its signal", arguments: crashes)
        func crash(act: HostileAct, signal: Int32) async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.self) { try await test.act(act) }
            let report = try await test.ends.next()
            guard case .crashed(let crash) = report.termination else {
                Issue.record("\(report)")
                return
            }
            #expect(crash.signal == signal)
            #expect(report.lastMethod == "act")
            if act == .complain { #expect(crash.message?.contains("\u{202e}") == false) }
            await test.field.terminate()
        }

        static let forbidden: [(HostileAct, String)] = [
            (.forbiddenCall, "ptrace"), (.fork, "vfork"), (.execute, "execve"), (.killItself, "tgkill"),
            (.claimTimeIsOver, "tgkill"), (.claimFileIsTooLarge, "tgkill"), (.claimForbiddenCall, "tgkill"),
        ]

        @Test("a forbidden call ends the worker, and is named", arguments: forbidden)
        func violation(act: HostileAct, name: String) async throws {
            let test = try TestField()
            await #expect(throws: ForceFieldError.self) { try await test.act(act) }
            guard case .policyViolation(let call?) = try await test.ends.next().termination else {
                Issue.record("no policy violation")
                return
            }
            #expect(call.name == name)
            await test.field.terminate()
        }

        @Test("memory without end is a crash with a hint")
        func memory() async throws {
            let test = try TestField { $0.limits.memoryBytes = 64 << 20 }
            await #expect(throws: ForceFieldError.self) { try await test.act(.allocate) }
            guard case .crashed(let crash) = try await test.ends.next().termination else {
                Issue.record("no crash")
                return
            }
            #expect(crash.hint == .memoryLimit)
            await test.field.terminate()
        }

        @Test("processor time without end is stopped by the system")
        func processor() async throws {
            let test = try TestField { $0.limits.cpuSeconds = 1 }
            await #expect(throws: ForceFieldError.terminated(.killedByOS(.cpuLimit))) { try await test.act(.spin) }
            await test.field.terminate()
        }

        @Test(
            "a worker that does not answer misses its deadline and is killed",
            arguments: [HostileAct.spin, .silence, .stop, .floodLog, .floodProgress, .floodErrors, .floodOutput])
        func deadline(act: HostileAct) async throws {
            let test = try TestField { $0.cancelGrace = .milliseconds(10) }
            // A worker that is there: on a busy machine a start alone takes longer than this deadline.
            _ = try await test.act(.echo)
            await #expect(throws: ForceFieldError.deadlineExceeded) {
                try await test.act(act, deadline: .milliseconds(500))
            }
            #expect(try await test.ends.next().termination == .killedByHost(.deadline))
            #expect(try await test.act(.echo, [1]) == [1])
            await test.field.terminate()
        }

        @Test("a worker that was asked to end is clean")
        func clean() async throws {
            let test = try TestField()
            #expect(try await test.act(.echo, [1, 2]) == [1, 2])
            await test.field.terminate()
            let report = try await test.ends.next()
            #expect(report.termination == .clean)
            #expect(report.requests == 1)
            #expect(report.layers.contains(.seccomp))
            #expect(test.ends.rest.isEmpty)
        }

        @Test("a worker that does not end when it is asked to is killed")
        func shutdown() async throws {
            let test = try TestField(.ignoresShutdown) { $0.shutdownGrace = .milliseconds(10) }
            _ = try await test.act(.echo)
            await test.field.terminate()
            #expect(try await test.ends.next().termination == .killedByHost(.shutdown))
        }

        @Test("one that has had all its calls and does not end is killed as retired")
        func retired() async throws {
            let test = try TestField(.ignoresShutdown) {
                $0.shutdownGrace = .milliseconds(10)
                $0.lifetime = .requests(1)
            }
            _ = try await test.act(.echo)
            #expect(try await test.ends.next().termination == .killedByHost(.retired))
            await test.field.terminate()
        }

        @Test("one that does not end when memory is short is killed for that")
        func memoryPressure() async throws {
            let test = try TestField(.ignoresShutdown) { $0.shutdownGrace = .milliseconds(10) }
            _ = try await test.act(.echo)
            test.field.handleMemoryPressure(.warning)
            #expect(try await test.ends.next().termination == .killedByHost(.memoryPressure))
            await test.field.terminate()
        }

        @Test("a write to a file, which the host has passed in spite of that, is stopped by the system")
        func fileSize() async throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "forcefield-size-\(UUID())").path
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            unlink(path)
            let test = try TestField(program: TestField.program("takes-descriptors")) {
                $0.capabilities = [.descriptors(max: 1)]
            }
            let outgoing = try OutgoingDescriptor(file, writable: true)
            await #expect(throws: ForceFieldError.terminated(.killedByOS(.fileSize))) {
                try await test.act(.writeDescriptor, options: CallOptions { $0.descriptors = [outgoing] })
            }
            await test.field.terminate()
        }

        /// Gives a worker one call when it is ready.
        private final class Caller: WorkerOwner {
            let call: Call
            let reports = AsyncStream<TerminationReport>.makeStream()

            init(_ act: HostileAct) {
                call = Call(
                    Hostile.act.signature, .unary(maxReply: 1 << 20), body: [act.rawValue], options: CallOptions(),
                    deadline: nil,
                    to: ReplyReceiver())
            }

            func handle(_ event: WorkerEvent, of worker: WorkerProcess) {
                switch event {
                case .isReady: worker.begin(call, callerWaits: false)
                case .ended(let report, _): reports.continuation.yield(report)
                default: return
                }
            }
        }

        @Test(
            "more memory than its control group has is stopped by the system",
            .enabled(
                if: ControlGroups.own?.parents.contains { $0.kind != .processes } == true,
                "this process may make no control group for memory"))
        func groupMemory() async throws {
            let policy = Policy { $0.startTimeout = TestField.patience }
            let launch = Launch(
                executable: try WorkerExecutable(TestField.program()), policy: policy,
                makeGroup: { limits in
                    var limits = limits
                    limits.memoryBytes = 64 << 20
                    return ControlGroups.makeOwn(limits)
                })
            let caller = Caller(.allocate)
            let terms = WorkerTerms(launch: launch, channel: policy.channelTerms(interfaceHash: nil))
            WorkerProcess(terms, owner: caller).launch()
            var reports = caller.reports.stream.makeAsyncIterator()
            let report = try #require(await reports.next())
            #expect(report.termination == .killedByOS(.memoryLimit))
            #expect(report.limits == .controlGroup)
            await launch.pendingGroups.finish()
        }

        @Test("a worker at work is killed when the field is terminated")
        func terminate() async throws {
            let test = try TestField()
            let field = test.field
            let call = try await test.begin(.silence)
            await field.terminate()
            await #expect(throws: ForceFieldError.terminated(.killedByHost(.shutdown))) { try await call.value }
            await #expect(throws: ForceFieldError.closed) { try await test.act(.echo) }
        }
    }
}
