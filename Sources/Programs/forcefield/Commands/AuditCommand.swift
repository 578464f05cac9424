import ArgumentParser
import BasicFoundation
import Console
import Dispatch
import ForceField
import ForceFieldWatch
import Synchronization

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Try to get out, in every way of the list, each in a fresh worker.",
        discussion: """
            Each attempt is one raw system call that does no harm if it succeeds. Exit code 0 only if every attempt \
            ends as expected; 1 if one does not, 15 if no worker starts.

              forcefield audit             the worker of this program
              forcefield audit --layers    what is left when parts are taken off
              forcefield audit --exec BIN  a static program of yours makes them: its argument
                                           is the attempt's name, and it prints
                                           NAME BLOCKED errno=13, or NAME ALLOWED
            """)

    @Option(help: ArgumentHelp("The profile of system calls: compute.", valueName: "name"))
    var profile = "compute"

    @Flag(help: "Repeat with the filter off, with namespaces off, and so on.")
    var layers = false

    @Option(
        help: ArgumentHelp("A static program that makes the attempts.", valueName: "program"), completion: .file())
    var exec: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard profile == "compute" else {
            throw ValidationError("--profile \(profile): the one profile is compute.")
        }
        guard exec == nil || !layers else {
            throw ValidationError("--layers is for the built-in worker: leave --exec out.")
        }
    }

    struct Line: Encodable {
        var name: String
        var expected: String
        /// The results, by the title of the variant.
        var results: [String: String]
        var isAsExpected: Bool
    }

    func run() throws {
        let variants = layers ? AuditVariant.allCases : [.whole]
        var progress = ProgressLine(label: "attempts", of: AuditProbe.all.count * variants.count)
        var columns: [[AuditOutcome]] = []
        for variant in variants {
            var column: [AuditOutcome] = []
            for batch in stride(from: 0, to: AuditProbe.all.count, by: Self.batch) {
                let probes = Array(AuditProbe.all[batch..<min(batch + Self.batch, AuditProbe.all.count)])
                column += try outcomes(of: probes, plan(variant))
                progress.show(columns.count * AuditProbe.all.count + column.count)
            }
            columns.append(column)
        }
        progress.end()
        try show(variants, columns)
    }

    /// Attempts at a time.
    private static let batch = 8

    private func plan(_ variant: AuditVariant) -> WorkerPlan {
        var plan = WorkerPlan()
        plan.layersOff = variant.layersOff
        plan.target = exec
        return plan
    }

    private func outcomes(of probes: [AuditProbe], _ plan: WorkerPlan) throws -> [AuditOutcome] {
        let results = Parallel.map(probes) { probe in
            Result { () throws(WatchError) in
                plan.target == nil
                    ? try Audit.outcome(of: probe, in: plan) : try Audit.outcome(ofForeign: probe, in: plan)
            }
        }
        return try results.map { try $0.get() }
    }

    private func show(_ variants: [AuditVariant], _ columns: [[AuditOutcome]]) throws {
        let probes = AuditProbe.all
        let lines = probes.indices.map { index in
            Line(
                name: probes[index].name, expected: "\(probes[index].expected)",
                results: Dictionary(
                    uniqueKeysWithValues: zip(variants, columns).map { ($0.title, "\($1[index])") }),
                isAsExpected: columns[0][index].meets(probes[index].expected))
        }
        let wrong = lines.filter { !$0.isAsExpected }.count
        try output.show(lines, text: text(variants, columns) + "\n\n" + summary(variants, columns, wrong: wrong))
        if case .failed(.setupFailed(let failure))? = columns[0].first {
            Failure.show(.setupFailed(failure), program: exec ?? "the built-in worker")
            throw ExitCode(15)
        }
        if wrong > 0 { throw ExitCode(1) }
    }

    private func text(_ variants: [AuditVariant], _ columns: [[AuditOutcome]]) -> String {
        let probes = AuditProbe.all
        return Table.text(
            ["ATTEMPT", "EXPECTED"] + (variants.count == 1 ? ["RESULT"] : variants.map(\.title)),
            probes.indices.map { index in
                let results = columns.map { column in
                    variants.count == 1 ? "\(column[index])" : short(column[index])
                }
                let isWrong = !columns[0][index].meets(probes[index].expected)
                return [probes[index].name, "\(probes[index].expected)"] + results.dropLast()
                    + [(results.last ?? "") + (isWrong ? "   NOT AS EXPECTED" : "")]
            })
    }

    private func short(_ outcome: AuditOutcome) -> String {
        switch outcome {
        case .killed: "killed"
        case .refused(let errno): ErrorNumber.name(errno)
        case .allowed: "ALLOWED"
        case .notRun, .failed: "-"
        }
    }

    private func summary(_ variants: [AuditVariant], _ columns: [[AuditOutcome]], wrong: Int) -> String {
        var lines = zip(variants, columns).map { variant, column in
            let blocked = column.filter(\.isBlocked).count
            let allowed = column.filter { $0 == .allowed }.count
            return "\(variants.count == 1 ? "" : "\(variant.title): ")\(blocked) blocked, \(allowed) allowed"
                + (blocked + allowed < column.count ? ", \(column.count - blocked - allowed) not run" : "")
        }
        lines.append(wrong == 0 ? "All as expected." : "\(wrong) NOT AS EXPECTED.")
        #if arch(x86_64)
            lines.append(
                "Not attempted: uretprobe (335) and uprobe (336). Linux from 6.14 and 6.18 on exempts them from every filter; they serve probes"
                    + " that the kernel has set, and fail or end whoever makes them otherwise.")
        #endif
        return lines.joined(separator: "\n")
    }
}

/// Work on all processors, with its results in order.
enum Parallel {
    static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ body: @Sendable (Input) -> Output
    ) -> [Output] {
        let results = Mutex([Output?](repeating: nil, count: inputs.count))
        DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
            let output = body(inputs[index])
            results.withLock { $0[index] = output }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
