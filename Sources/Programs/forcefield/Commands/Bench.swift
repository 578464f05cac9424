import ArgumentParser
import BasicFoundation
import Console
import ForceField
import ForceFieldWatch
import ForceFieldWire

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure starts, calls and memory, beside bare processes and other sandboxes.",
        discussion: """
            Everything is measured in one run, in an order of chance: ours, the same program without ForceField, and \
            each peer. The workers are bench-echo of the package Benchmarks, linked statically and dynamically \
            (Benchmarks/forcefield.py builds them and calls this). Measure on a calm machine: a priority of this \
            program's is not its workers', while other sandboxes pass it on. Two processes that talk take a third of \
            the time when they share a processor, and the kernel decides anew for each pair: only what is tied to one \
            can be compared closely.

              forcefield bench --static-worker bench-echo-static --peer bwrap,firejail
              taskset --cpu-list 0 \\
                forcefield bench --static-worker bench-echo-static --calls
            """)

    @Option(help: ArgumentHelp("bench-echo, linked statically.", valueName: "program"))
    var staticWorker: String?

    @Option(help: ArgumentHelp("bench-echo, linked dynamically.", valueName: "program"))
    var dynamicWorker: String?

    @Option(help: ArgumentHelp("Other sandboxes: bwrap, firejail.", valueName: "names"))
    var peer: String?

    @Option(help: ArgumentHelp("Starts of each kind; calls are 20 times as many.", valueName: "n"))
    var count = 100

    @Flag(help: "Calls only: no starts and no memory.")
    var calls = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !calls || staticWorker != nil else { throw ValidationError("--calls needs --static-worker.") }
        guard count >= 10 else { throw ValidationError("--count \(count): give 10 or more.") }
        _ = try peers()
    }

    private func peers() throws -> [Peer] {
        try peer?.split(separator: ",").map { name in
            guard let peer = Peer(rawValue: String(name)) else {
                throw ValidationError(
                    "--peer \(name): known are \(Peer.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return peer
        } ?? []
    }

    func run() throws {
        let plan = BenchPlan(
            staticWorker: staticWorker.map(absolute), dynamicWorker: dynamicWorker.map(absolute), peers: try peers(),
            count: count, callsOnly: calls)
        let answer = try Blocking.value { try await plan.measure() }
        try output.show(answer, text: text(answer))
    }

    private func text(_ answer: BenchPlan.Answer) -> String {
        var lines = [Comparison.header] + answer.comparisons.map(\.row)
        if let idle = answer.idle {
            func shown(_ kib: Double) -> String { "\(Int(kib.rounded())) KiB" }
            lines += [
                "",
                "An idle worker with its warden, of \(idle.workers): \(shown(idle.all)) (pages \(shown(idle.pages)), page tables "
                    + "\(shown(idle.pageTables)), kernel slabs \(shown(idle.slab))); bar 1024 KiB",
            ]
        }
        if !answer.notMeasured.isEmpty { lines += [""] + answer.notMeasured.map { "Not measured: \($0)." } }
        return lines.joined(separator: "\n")
    }

    private func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}
