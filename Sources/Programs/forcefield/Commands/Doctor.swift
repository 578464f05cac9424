import ArgumentParser
import BasicFoundation
import Console
import ForceField
import ForceFieldWatch
import Scheduling

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "What this machine gives to lock workers in, what is missing, and what helps.",
        discussion: """
            Tries each layer in a child, and then starts a worker under the strict policy, as every program does that \
            uses ForceField. Changes nothing. Exit code 0 if a strict worker starts, else 15.
            """)

    @OptionGroup var output: OutputOptions

    struct Answer: Encodable {
        var kernel: String
        var user: UInt32
        var landlockABI: String?
        var strict: Bool
        /// Why it would not start, and what helps.
        var refusal: String?
        var remedy: String?
        var startMicroseconds: UInt64?
        var layers: [Line]
    }

    struct Line: Encodable {
        var layer: String
        var isPresent: Bool
        var isRequired: Bool
        var value: String?
        /// How the state was found, such as `a worker has it`.
        var found: String
        var remedy: String?
    }

    func run() throws {
        let machine = LayerReport.machine
        let trial = Trial()
        let answer = Answer(
            kernel: Self.kernel, user: geteuid(),
            landlockABI: machine.states.first { $0.layer == .landlock }?.value, strict: trial.failure == nil,
            refusal: trial.failure.map { "\($0)" }, remedy: trial.remedy,
            startMicroseconds: trial.failure == nil ? trial.setupNanoseconds / 1_000 : nil,
            layers: machine.states.map { line($0, trial) })
        try output.show(answer, text: text(answer))
        if trial.failure != nil { throw ExitCode(15) }
    }

    private static var kernel: String {
        var name = utsname()
        uname(&name)
        func text<Tuple>(_ characters: Tuple) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [text(name.sysname), text(name.release), text(name.machine)].joined(separator: " ")
    }

    /// What a worker has counts before what could be had.
    private func line(_ state: LayerState, _ trial: Trial) -> Line {
        let isRequired = Strictness.required.contains(state.layer)
        if trial.failure == nil, state.layer != .cgroup {
            let isPresent = trial.layers.contains(state.layer)
            return Line(
                layer: state.layer.rawValue, isPresent: isPresent, isRequired: isRequired, value: state.value,
                found: isPresent ? "a worker has it" : absence(of: state.layer))
        }
        return Line(
            layer: state.layer.rawValue, isPresent: state.isPresent, isRequired: isRequired, value: state.value,
            found: state.layer == .cgroup
                ? state.isPresent
                    ? "may be made here"
                    : "may not be made here: limits are those of processes. \(state.obstacle.map(\.reason) ?? "")"
                : "tried in a child" + (state.obstacle.map { ". \($0.reason)" } ?? ""),
            remedy: remedy(state))
    }

    /// Where a group may not be made for a reason that is not known, there is nothing to be said but that.
    private func remedy(_ state: LayerState) -> String? {
        if state.layer == .cgroup, case .other? = state.obstacle { return nil }
        return state.obstacle?.remedy
    }

    private func absence(of layer: Layer) -> String {
        switch layer {
        case .distinctUser: "only root can give it"
        default: "the worker did without"
        }
    }

    private func text(_ answer: Answer) -> String {
        let style = Style.output
        let strict =
            answer.strict
            ? style.good("strict works") + " (a worker is locked in after \(answer.startMicroseconds ?? 0) µs)"
            : style.danger("strict refuses") + ": \(answer.refusal ?? "")"
        let advice = answer.remedy.map { "\n  → \($0)" } ?? ""
        let table = Table.text(
            ["LAYER", "", "REQUIRED", "FOUND"],
            answer.layers.map { line in
                [
                    line.layer, line.isPresent ? line.value ?? "yes" : "no", line.isRequired ? "yes" : "",
                    line.found + (line.remedy.map { " \($0)" } ?? ""),
                ]
            })
        return "\(answer.kernel), user \(answer.user)\n\(strict)\(advice)\n\n\(table)"
    }
}

/// A strict worker, started to see whether it does.
private struct Trial {
    var layers = LayerSet([])
    var setupNanoseconds: UInt64 = 0
    var failure: Termination?

    init() {
        do {
            let worker = try WatchedWorker(WorkerPlan())
            while true {
                switch worker.next(before: SteadyInstant.now + .seconds(2)) {
                case .started:
                    layers = worker.layers
                    setupNanoseconds = worker.setupNanoseconds
                    return
                case .timeout: worker.fail(.timeout)
                case .ended:
                    failure = worker.report.termination
                    return
                default: continue
                }
            }
        } catch {
            failure = .setupFailed(.spawn(errno: 0))
        }
    }

    var remedy: String? {
        guard case .setupFailed(.stage(let stage, let errno))? = failure else { return nil }
        return Obstacle(stage, errno: errno, in: .current).words
    }
}
