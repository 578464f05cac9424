import ForceFieldWire
import Testing

@testable import ForceField

@Suite("Termination")
struct TerminationTests {
    private func verdict(_ status: WaitStatus?, _ change: (inout TerminationFacts) -> Void = { _ in }) -> Termination {
        var facts = TerminationFacts()
        facts.started = true
        facts.exit = status.map { WorkerExit(status: $0) }
        change(&facts)
        return facts.verdict { number, _ in number == 101 ? "ptrace" : nil }
    }

    @Test("what never started was not set up, whatever else is known")
    func setup() {
        #expect(verdict(.signalled(9)) { $0.started = false } == .setupFailed(.endedEarly(.signalled(9))))
        #expect(
            verdict(nil) {
                $0.started = false
                $0.wardenStatus = .exited(1)
            } == .setupFailed(.endedEarly(.exited(1))))
        #expect(
            verdict(.signalled(9)) {
                $0.setupFailure = .timeout
                $0.hostKill = .reason(.shutdown)
            }
                == .setupFailed(.timeout))
    }

    @Test("a forbidden call is named, also if the host killed meanwhile")
    func violation() {
        let call = SystemCallRecord(number: 101, architecture: 0xc000_003e, arguments: [16, 1, 0, 0])
        let expected = Termination.policyViolation(
            .init(name: "ptrace", number: 101, architecture: 0xc000_003e, arguments: [16, 1, 0, 0]))
        #expect(
            verdict(.signalled(9)) {
                $0.violation = call
                $0.hostKill = .reason(.deadline)
            } == expected)
        #expect(verdict(.signalled(31)) == .policyViolation(nil))
    }

    @Test("the host's kill counts only if the worker was killed", arguments: KillReason.allCases)
    func hostKill(_ reason: KillReason) {
        #expect(verdict(.signalled(9)) { $0.hostKill = .reason(reason) } == .killedByHost(reason))
        #expect(
            verdict(nil) {
                $0.hostKill = .reason(reason)
                $0.wardenStatus = .signalled(9)
            } == .killedByHost(reason))
        #expect(verdict(.exited(3)) { $0.hostKill = .reason(reason) } == .exited(code: 3))
        #expect(verdict(.signalled(11)) { $0.hostKill = .reason(reason) } == .crashed(.init(signal: 11)))
    }

    @Test("processor time is the cause of a kill only if it was used up")
    func cpu() {
        func killed(after microseconds: UInt64) -> Termination {
            verdict(.signalled(9)) {
                $0.hardCPULimit = .seconds(31)
                $0.exit?.userMicroseconds = microseconds - 1_000_000
                $0.exit?.systemMicroseconds = 1_000_000
            }
        }
        #expect(killed(after: 30_900_000) == .killedByOS(.cpuLimit))
        #expect(killed(after: 30_899_999) == .killedByOS(.unknown))
    }

    @Test("the warning that processor time is over proves nothing to who has not used it")
    func warned() {
        func warned(after microseconds: UInt64) -> Termination {
            verdict(.signalled(24)) {
                $0.hardCPULimit = .seconds(31)
                $0.exit?.systemMicroseconds = microseconds
            }
        }
        #expect(warned(after: 30_000_000) == .killedByOS(.cpuLimit))
        #expect(warned(after: 29_899_999) == .crashed(.init(signal: 24)))
        #expect(warned(after: 0) == .crashed(.init(signal: 24)))
        #expect(verdict(.signalled(24)) == .crashed(.init(signal: 24)))
    }

    @Test("a broken protocol is one, however the worker then ended and whenever that was known")
    func fault() {
        for status in [.exited(0), .exited(3), .signalled(9), .signalled(11)] as [WaitStatus] {
            #expect(verdict(status) { $0.fault = .badHeader } == .protocolViolation(.badHeader))
            #expect(
                verdict(status) {
                    $0.fault = .badHeader
                    $0.hostKill = .fault
                } == .protocolViolation(.badHeader))
        }
        // What was read of a worker that the host had already ended for something else.
        #expect(
            verdict(.signalled(9)) {
                $0.hostKill = .reason(.deadline)
                $0.fault = .badHeader
            } == .killedByHost(.deadline))
    }

    @Test("a channel that ended inside a frame is the cause, unless what cut it is known")
    func truncation() {
        func truncated(_ status: WaitStatus, _ change: (inout TerminationFacts) -> Void = { _ in }) -> Termination {
            verdict(status) {
                $0.fault = .truncated
                change(&$0)
            }
        }
        #expect(truncated(.exited(0)) == .protocolViolation(.truncated))
        #expect(truncated(.exited(7)) { $0.wasAskedToEnd = true } == .protocolViolation(.truncated))
        #expect(truncated(.signalled(9)) { $0.hostKill = .fault } == .protocolViolation(.truncated))
        #expect(truncated(.signalled(9)) { $0.hostKill = .reason(.deadline) } == .killedByHost(.deadline))
        #expect(truncated(.signalled(11)) == .crashed(.init(signal: 11)))
        #expect(truncated(.signalled(9)) { $0.outOfMemoryKills = 1 } == .killedByOS(.memoryLimit))
        #expect(truncated(.signalled(9)) { $0.passedLimit = .processorTime } == .killedByOS(.cpuLimit))
        #expect(truncated(.signalled(9)) == .killedByOS(.unknown))
    }

    @Test("only a living process can be blamed for not going on")
    func needsLivingPeer() {
        for violation in [ProtocolViolation.stalled, .channelClosed] {
            var facts = TerminationFacts()
            facts.note(violation)
            #expect(facts.fault == violation)
            facts = TerminationFacts()
            facts.exit = WorkerExit(status: .exited(0))
            facts.note(violation)
            #expect(facts.fault == nil)
            facts.note(.badType)
            facts.note(.badFlags)
            #expect(facts.fault == .badType)
        }
    }

    @Test("the warden's word on processor time needs no proof, but a kill")
    func cpuLimit() {
        #expect(verdict(.signalled(9)) { $0.passedLimit = .processorTime } == .killedByOS(.cpuLimit))
        #expect(verdict(.exited(3)) { $0.passedLimit = .processorTime } == .exited(code: 3))
        #expect(verdict(.signalled(11)) { $0.passedLimit = .processorTime } == .crashed(.init(signal: 11)))
        #expect(
            verdict(.signalled(9)) {
                $0.passedLimit = .processorTime
                $0.hostKill = .reason(.deadline)
            } == .killedByHost(.deadline))
    }

    @Test("lack of memory is told from the counter, the size, and the worker's word")
    func memory() {
        #expect(verdict(.signalled(9)) { $0.outOfMemoryKills = 1 } == .killedByOS(.memoryLimit))
        #expect(
            verdict(nil) {
                $0.outOfMemoryKills = 1
                $0.wardenStatus = .signalled(9)
            } == .killedByOS(.memoryLimit))
        func crash(_ rss: UInt64, _ tail: String) -> Termination {
            verdict(.signalled(6)) {
                $0.memoryLimitBytes = 100 << 20
                $0.exit?.maxRSSKiB = rss
                $0.stderrTail = Array(tail.utf8)
            }
        }
        #expect(crash(92_160, "") == .crashed(.init(signal: 6, hint: .memoryLimit)))
        #expect(crash(92_150, "") == .crashed(.init(signal: 6)))
        let words = "Fatal error: failed to allocate 8 bytes of memory with alignment 8"
        #expect(crash(0, "log\n\(words)\n") == .crashed(.init(signal: 6, message: words, hint: .memoryLimit)))
        #expect(crash(0, "I say \(words)") == .crashed(.init(signal: 6, message: "I say \(words)")))
    }

    @Test("a crash's message is its fatal error, short and safe to show")
    func message() {
        func message(_ tail: [UInt8]) -> String? {
            guard case .crashed(let crash) = verdict(.signalled(4), { $0.stderrTail = tail }) else { return nil }
            return crash.message
        }
        #expect(message(Array("\nfirst\nM/f.swift:3: Fatal error: boom\n".utf8)) == "M/f.swift:3: Fatal error: boom")
        #expect(message(Array("only\n".utf8)) == "only")
        #expect(message([]) == nil)
        #expect(message(Array("a\u{1b}[2J\u{202e}b".utf8)) == "a\\u{1b}[2J\\u{202e}b")
        #expect(message(Array(repeating: UInt8(ascii: "x"), count: 2_000))?.count == 512)
        #expect(message([0xff])?.isEmpty == false)
    }

    @Test("an end is clean only if it was asked for, with code 0 and nothing open")
    func clean() {
        #expect(verdict(.exited(0)) { $0.wasAskedToEnd = true } == .clean)
        #expect(verdict(.exited(0)) { $0.saidGoodbye = true } == .clean)
        #expect(verdict(.exited(0)) == .exited(code: 0))
        #expect(
            verdict(.exited(0)) {
                $0.wasAskedToEnd = true
                $0.openCalls = 1
            } == .exited(code: 0))
        #expect(verdict(.exited(78)) { $0.wasAskedToEnd = true } == .exited(code: 78))
    }

    @Test("a warden that ends without a word takes an unknown cause along")
    func warden() {
        #expect(verdict(nil) { $0.wardenStatus = .signalled(9) } == .killedByOS(.unknown))
        #expect(verdict(nil) { $0.wardenStatus = .exited(1) } == .killedByOS(.unknown))
        #expect(verdict(.signalled(25)) == .killedByOS(.fileSize))
        #expect(verdict(.signalled(9)) { $0.passedLimit = .background } == .killedByHost(.background))
        #expect(verdict(.signalled(9)) { $0.passedLimit = .lifetime } == .killedByOS(.lifetime))
    }

    @Test("the report has every field, in the form that programs read")
    func json() {
        var report = TerminationReport(
            .policyViolation(.init(name: "ptrace", number: 101, architecture: 0xc000_003e, arguments: [16, 1, 0, 0])))
        report.layers = [.userNamespace, .seccomp]
        report.landlockABI = 7
        (report.startedMicroseconds, report.wallTime) = (10, .microseconds(20))
        (report.userTime, report.systemTime) = (.microseconds(1), .microseconds(2))
        (report.maxRSSKiB, report.requests) = (3, 1)
        report.stderrTail = Array("a\"b\n\u{202e}".utf8)
        #expect(
            report.jsonText == #"""
                {"termination":{"kind":"policyViolation","systemCall":"ptrace","number":101,"arch":"x86_64","arguments":["0x10","0x1","0x0","0x0"]},"layers":["userNamespace","seccomp"],"landlockABI":7,"limits":"rlimit","startedMicroseconds":10,"wallMicroseconds":20,"cpuUserMicroseconds":1,"cpuSystemMicroseconds":2,"maxRSSKiB":3,"requests":1,"stderrTail":"a\"b\n\\u{202e}"}
                """#)
    }

    @Test("every kind has its fields and its exit code")
    func kinds() {
        let cases: [(Termination, String, Int32)] = [
            (.clean, #"{"kind":"clean"}"#, 0), (.exited(code: 7), #"{"kind":"exited","code":7}"#, 10),
            (
                .crashed(.init(signal: 6, message: "m", hint: .memoryLimit)),
                #"{"kind":"crashed","signal":6,"signalName":"SIGABRT","hint":"memoryLimit","message":"m"}"#, 10
            ),
            (.policyViolation(nil), #"{"kind":"policyViolation"}"#, 11),
            (.killedByHost(.deadline), #"{"kind":"killedByHost","reason":"deadline"}"#, 12),
            (.killedByOS(.cpuLimit), #"{"kind":"killedByOS","reason":"cpuLimit"}"#, 13),
            (.protocolViolation(.badState), #"{"kind":"protocolViolation","reason":"badState"}"#, 14),
            (
                .setupFailed(.stage(.userNamespace, errno: 1)),
                #"{"kind":"setupFailed","reason":"stage","stage":"userns","errno":1}"#, 15
            ),
            (.setupFailed(.timeout), #"{"kind":"setupFailed","reason":"timeout"}"#, 15),
        ]
        for (termination, json, code) in cases {
            #expect(termination.json.reportText == json)
            #expect(termination.exitCode == code)
            #expect(!termination.description.isEmpty)
        }
    }
}
