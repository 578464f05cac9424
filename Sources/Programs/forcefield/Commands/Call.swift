import ArgumentParser
import BasicFoundation
import Console
import ForceField
import ForceFieldWatch
import ForceFieldWire
import TextForms

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Call a method of a worker; its reply's bytes come out here.",
        discussion: """
            The request is the bytes of --in as they are, the reply likewise. The worker has to have this one method, \
            raw, or say --any-interface. What it logs and writes goes to standard error. On a terminal all of it is \
            escaped.

              forcefield call --worker ./png-worker --method png.decode --in a.png >pixels
              forcefield call --worker ./w --method info --any-interface --decode
            """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var options: WorkerOptions

    @Option(help: ArgumentHelp("The method's name.", valueName: "name"))
    var method: String

    @Option(name: .customLong("repeat"), help: ArgumentHelp("Call so many times.", valueName: "n"))
    var times = 1

    @Flag(help: "Check that the reply is FFV1, and print it as JSON.")
    var decode = false

    @Option(help: ArgumentHelp("Write how the worker ended to this file.", valueName: "file"), completion: .file())
    var json: String?

    func validate() throws {
        guard times >= 1 else { throw ValidationError("--repeat \(times): give 1 or more.") }
    }

    func run() throws {
        try CommandFiles.requirePlace(json)
        let body = try service.request()
        var plan = try options.plan()
        try service.complete(&plan)
        let terms = try service.terms(method: method, body: body.count)
        plan.lifetime = options.wallTime
        let worker = try WatchedWorker(plan)
        let session = CallSession(worker, terms: terms) { ServiceText.show($0) }
        var code: Int32?
        var lost: Failure?
        if session.begin() {
            do throws(Failure) { code = try call(session, body) } catch {
                guard case .lostOutput = error else { throw error }
                lost = error
            }
            session.end()
        } else {
            session.finish()
        }
        var report = worker.report
        report.requests = session.requestsServed
        report.lastMethod = method
        try CommandFiles.write(report, to: json)
        Failure.show(report.termination, program: service.program)
        if let lost { throw lost }
        throw ExitCode(code.map { $0 == 0 ? report.termination.exitCode : $0 } ?? report.termination.exitCode)
    }

    /// - Returns: the exit code that the calls give; nil where the worker's end says it.
    private func call(_ session: CallSession, _ body: [UInt8]) throws(Failure) -> Int32? {
        for _ in 0..<times {
            let outcome: CallSession.Outcome
            do {
                outcome = try session.call(
                    MethodID(name: method), body: body, maxReply: service.maxReply.bytes, deadline: service.callDeadline
                )
            } catch {
                throw Failure.usage("The request cannot be sent: \(words(error))")
            }
            switch outcome {
            case .reply(let reply):
                guard try show(reply) else { return 14 }
            case .error(let code, let text):
                printError("the worker refused (\(code)): \(ScreenText.escape(String(decoding: text, as: UTF8.self)))")
                return 16
            case .deadline:
                printError("the call took too long. Give it more time with --deadline.")
                return 12
            case .ended: return nil
            }
        }
        return 0
    }

    /// - Returns: whether it is a reply that can be shown.
    private func show(_ reply: [UInt8]) throws(Failure) -> Bool {
        guard decode else {
            var output = OutsideOutput(STDOUT_FILENO)
            if let fault = output.write(reply) ?? output.end() { throw .lostOutput(fault) }
            return true
        }
        do {
            print(ScreenText.escape(json: try WireValue(ffv1: reply).jsonText))
            return true
        } catch {
            printError("the reply is not FFV1: \(error)")
            return false
        }
    }

    private func words(_ refusal: RequestRefusal) -> String {
        switch refusal {
        case .notServing: "the worker has said goodbye."
        case .busy: "the worker takes no call now."
        case .tooLarge(let bytes, let limit): "it has \(bytes) bytes, the worker takes \(limit)."
        }
    }

    private func printError(_ text: String) { ProgramLine.note(text, by: "forcefield") }
}

/// What workers write and log, made safe to show and marked as theirs.
enum ServiceText {
    static func show(_ text: CallSession.Text) {
        let (mark, bytes) =
            switch text {
            case .output(let bytes): ("worker: ", bytes)
            case .log(let level, let bytes): ("worker, \(level): ", bytes)
            }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let shown = ScreenText.escape(String(decoding: line, as: UTF8.self))
            StandardError.write("\(mark)\(shown)\n")
        }
    }
}
