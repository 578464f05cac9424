import ArgumentParser
import BasicFoundation
import Files
import ForceField
import ForceFieldWatch
import Scheduling

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a static executable, locked in from its first instruction.",
        discussion: """
            It reads nothing, or the file that --stdin names; what it writes comes out here, escaped where that is a \
            terminal. It needs nothing but itself: static, without files, threads and network. It has no channel; see \
            call for workers that serve.

              forcefield run --memory 64M --cpu 2 --stdin a.gz -- ./gunzip-static

            Exit code: its own (codes 10 to 31 plus 32), or why it was ended; see forcefield --help.
            """)

    @OptionGroup var options: WorkerOptions

    @Option(help: ArgumentHelp("A file to be its standard input.", valueName: "file"), completion: .file())
    var stdin: String?

    @Option(help: ArgumentHelp("What it may write in all, to both outputs.", valueName: "bytes"))
    var maxOutput = ByteCount(bytes: 16 << 20)

    @Option(help: ArgumentHelp("Write how it ended to this file.", valueName: "file"), completion: .file())
    var json: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program and its arguments, behind --.", valueName: "program"))
    var program: [String] = []

    func run() throws {
        guard let path = program.first else {
            throw Failure.usage("Give the program behind two dashes: forcefield run -- ./program ARGUMENTS")
        }
        try CommandFiles.requirePlace(json)
        var plan = try options.plan()
        plan.target = path
        plan.input = stdin
        plan.arguments = Array(program.dropFirst())
        plan.hasChannel = false
        // The warden keeps the time too: this program may be waiting for whoever takes the output.
        plan.lifetime = options.wallTime.map { $0 + .seconds(1) }
        var relay = OutputRelay(most: maxOutput.bytes, wallTime: options.wallTime)
        let report = relay.run(try WatchedWorker(plan))
        try CommandFiles.write(report, to: json)
        if let fault = relay.fault { throw Failure.lostOutput(fault) }
        if case .exited(let code) = report.termination {
            throw ExitCode(code < 10 || code >= 32 ? code : 32 + code)
        }
        Failure.show(report.termination, program: path)
        throw ExitCode(report.termination.exitCode)
    }
}

/// Hands on what a program writes, up to a limit. Whatever of it is lost, the program's end is not told as a good one.
private struct OutputRelay {
    /// How much may be written in all, to both outputs; in bytes.
    let most: Int
    let wallTime: Duration?
    /// Why an output took nothing more; nil where all was taken.
    private(set) var fault: Errno?

    /// Runs the program to its end.
    mutating func run(_ worker: WatchedWorker) -> TerminationReport {
        // A program without calls ends when it is done.
        worker.note(wasAskedToEnd: true)
        let began = SteadyInstant.now
        var left = most
        var isCut = false
        // What it writes says so too, and may come before the warden's word, which waits while an output takes nothing.
        var hasWritten = false
        var standard = OutsideOutput(STDOUT_FILENO)
        var errors = OutsideOutput(STDERR_FILENO)
        while true {
            let isStarted = worker.isStarted || hasWritten
            let deadline = isStarted ? wallTime.map { began + $0 } : began + .seconds(2)
            switch worker.next(before: deadline) {
            case .output(let output, let bytes):
                hasWritten = true
                let passed = bytes.prefix(left)
                // What comes behind something that is lost would stand in its place.
                if fault == nil { fault = output == .standard ? standard.write(passed) : errors.write(passed) }
                isCut = isCut || bytes.count > left
                if fault != nil { worker.kill(.reason(.hostExit)) } else if isCut { worker.kill(.reason(.outputLimit)) }
                left -= min(left, bytes.count)
            case .timeout:
                if isStarted { worker.kill(.reason(.deadline)) } else { worker.fail(.timeout) }
            case .ended:
                for end in [standard.end(), errors.end()] { fault = fault ?? end }
                return Self.report(of: worker, isCut: isCut)
            default: continue
            }
        }
    }

    /// How it ended. A program that was done before it was killed has written more than it may all the same.
    private static func report(of worker: WatchedWorker, isCut: Bool) -> TerminationReport {
        var report = worker.report
        switch report.termination {
        case .clean where isCut, .exited where isCut: report.termination = .killedByHost(.outputLimit)
        case .killedByOS(.lifetime): report.termination = .killedByHost(.deadline)
        default: break
        }
        return report
    }
}
