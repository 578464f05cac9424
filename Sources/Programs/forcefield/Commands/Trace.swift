import ArgumentParser
import BasicFoundation
import Console
import ForceField
import ForceFieldWatch
import ForceFieldWire
import Scheduling

struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "What a worker does that the policy forbids, all at once: for those who bring a library in.",
        discussion: """
            The filter reports instead of killing: each forbidden call fails with EPERM, and the worker goes on. Give \
            it a request like those that it will get. Exit code 0 if it needed nothing forbidden, 11 if it did.

              forcefield trace --worker ./png-worker --method png.decode --in a.png
              forcefield trace --exec ./tool-static --arg --version

            Calls that fail softly under the policy (opening files, sockets, threads) do not end a worker and are not \
            listed.
            """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var options: WorkerOptions

    @Option(help: ArgumentHelp("A method to call.", valueName: "name"))
    var method: String?

    @OptionGroup var output: OutputOptions

    struct Answer: Encodable {
        var calls: [Line]
        var termination: String
    }

    struct Line: Encodable {
        var call: String
        var number: UInt32
        var count: Int
        /// The arguments of the first of these calls.
        var arguments: [String]
        var meaning: String
        var advice: String
    }

    /// A worker that is refused what it wants may ask for ever.
    private static let patience = Duration.seconds(10)

    func run() throws {
        let body = try service.request()
        var plan = try options.plan()
        try service.complete(&plan)
        plan.reportsOnly = true
        plan.hasChannel = service.worker != nil || method != nil
        let terms = try service.terms(method: nil, body: body.count)
        let worker = try WatchedWorker(plan)
        if plan.hasChannel { call(worker, terms, body: body) } else { watch(worker) }
        let lines = Self.lines(worker.violations)
        let termination = worker.report.termination
        try output.show(Answer(calls: lines, termination: "\(termination)"), text: text(lines, termination))
        if case .setupFailed = termination, !worker.isStarted {
            Failure.show(termination, program: service.program)
            throw ExitCode(termination.exitCode)
        }
        if !lines.isEmpty { throw ExitCode(11) }
    }

    private func call(_ worker: WatchedWorker, _ terms: ChannelTerms, body: [UInt8]) {
        let session = CallSession(worker, terms: terms) { ServiceText.show($0) }
        guard session.begin() else { return session.finish() }
        if let method {
            _ = try? session.call(
                MethodID(name: method), body: body, maxReply: service.maxReply.bytes,
                deadline: service.callDeadline ?? Self.patience)
        }
        session.end()
    }

    private func watch(_ worker: WatchedWorker) {
        worker.note(wasAskedToEnd: true)
        let deadline = SteadyInstant.now + min(options.wallTime ?? Self.patience, Self.patience)
        while true {
            switch worker.next(before: deadline) {
            case .output(_, let bytes): ServiceText.show(.output(bytes))
            case .timeout: worker.kill(.reason(.deadline))
            case .ended: return
            default: continue
            }
        }
    }

    private static func lines(_ calls: ForbiddenCalls) -> [Line] {
        calls.byNumber.map { call, count in
            let explanation = ForbiddenCallAdvice.of(call)
            return Line(
                call: call.name ?? "number \(call.number)", number: call.number, count: count,
                arguments: call.arguments.map { "0x" + String($0, radix: 16) },
                meaning: explanation.meaning, advice: explanation.advice)
        }
    }

    private func text(_ lines: [Line], _ termination: Termination) -> String {
        let ending = termination == .clean ? "" : "\n\(termination)"
        guard !lines.isEmpty else { return "It made no forbidden system call.\(ending)" }
        let style = Style.output
        let parts = lines.map { line in
            """
            \(style.bold("\(line.call)(\(line.arguments.joined(separator: ", ")), …)"))  \(line.count) times
              \(line.meaning)
              → \(line.advice)
            """
        }
        return parts.joined(separator: "\n") + ending
    }
}
