import KnownAnswers
import SignerCore
import TextForms

/// A flow that is replayed against a core with a vault: what is shown behind each step, and what must hold of the vault
/// then.
enum FlowReplay {
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let texts = content.array.flatMap { [$0["data"].string, $0["secret"].string].compactMap(\.self) }
        var surroundings = FlowSurroundings()
        if texts.contains(where: { $0.contains("$file:") }) { try surroundings.read(beside: file, content) }
        if texts.contains(where: { $0.contains("$share:") }) {
            let shares = file.beside("../banana-split/vectors.json")
            guard shares.exists else {
                return report.skip("\(file.path) replay", because: "the shares that it takes are not there")
            }
            let known = try shares.content()
            for set in known["recover"].array {
                guard let id = set["id"].string, let passphrase = set["passphrase"].string else { continue }
                surroundings.shares[id] = FlowRunner.ShareRecord(shares: set["shares"].strings, passphrase: passphrase)
            }
        }
        let steps = try FlowStep.steps(file.bytes())
        var runner = try FlowRunner(steps, in: surroundings)
        for step in steps {
            let differences: [String] = try runner.run(step).differences + runner.core.breaches()
            report.expect("\(file.path) replay, step \(step.n)", differences, equals: [String]())
            // What follows would differ too, and say nothing.
            guard differences.isEmpty else { return }
        }
    }
}

extension FlowSurroundings {
    /// The metadata and payloads in the folders beside a flow.
    fileprivate mutating func read(beside file: AnswerFile, _ content: JSON) throws {
        for name in Set(FlowAnswers.payloads(content)) {
            payloads[name] = Hex.encode(try file.payload(name))
        }
        for file in try file.all(in: "initial-metadata") { metadata.append(try file.hex()) }
    }
}
