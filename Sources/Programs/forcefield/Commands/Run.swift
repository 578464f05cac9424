import ArgumentParser
import BasicFoundation
import ForceField
import ForceFieldWatch
import Scheduling

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
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
        var plan = try options.plan()
        plan.target = path
        plan.input = stdin
        plan.arguments = Array(program.dropFirst())
        plan.hasChannel = false
        let report = relay(try WatchedWorker(plan))
        try CommandFiles.write(report, to: json)
        if case .exited(let code) = report.termination {
            throw ExitCode(code < 10 || code >= 32 ? code : 32 + code)
        }
        Failure.show(report.termination, program: path)
        throw ExitCode(report.termination.exitCode)
    }

    private func relay(_ worker: WatchedWorker) -> TerminationReport {
        // A program without calls ends when it is done.
        worker.note(wasAskedToEnd: true)
        let began = SteadyInstant.now
        var left = maxOutput.bytes
        var standard = OutsideOutput(STDOUT_FILENO)
        var errors = OutsideOutput(STDERR_FILENO)
        while true {
            let deadline = worker.isStarted ? options.wallTime.map { began + $0 } : began + .seconds(2)
            switch worker.next(before: deadline) {
            case .output(let output, let bytes):
                let passed = bytes.prefix(left)
                let isTaken = output == .standard ? standard.write(passed) : errors.write(passed)
                if bytes.count > left || !isTaken { worker.kill(.reason(.outputLimit)) }
                left -= min(left, bytes.count)
            case .timeout:
                if worker.isStarted { worker.kill(.reason(.deadline)) } else { worker.fail(.timeout) }
            case .ended:
                standard.end()
                errors.end()
                return worker.report
            default: continue
            }
        }
    }
}
