import ArgumentParser
import CodeMeasurement
import Console
import StrictJSON
import Threads
import Vigil

struct Learn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Watches a running program and prints rules of behaviour that it keeps.",
        discussion: """
            Sign what is printed like a manifest (vigil-hash-tool sign --type behaviour) and name it in the \
            configuration as "behaviour". It is taken beside a manifest of the same product and epoch alone.
            """)

    @Option(name: .long, help: "The process.")
    var pid: Int32
    @Option(name: .long, help: "The product of the manifest.")
    var product: String
    @Option(name: .long, help: "The epoch of the manifest.")
    var epoch: UInt32
    @Option(name: .long, help: "For how long, in seconds (1 to 3600).")
    var seconds = 10

    func validate() throws {
        guard (1...3600).contains(seconds), pid > 0 else {
            throw ValidationError("--pid takes the number of a process, --seconds 1 to 3600.")
        }
    }

    func run() throws {
        var learning = BehaviourLearning()
        let end = SuspendingClock().now.advanced(by: .seconds(seconds))
        var progress = ProgressLine(label: "watching, tenth of a second", of: seconds * 10)
        repeat {
            guard learning.record(process: pid) else {
                throw Failure(
                    .inputOutput, "Process \(pid) cannot be watched: it has ended, or belongs to another user.")
            }
            progress.show(learning.count)
            SystemThread.sleep(for: .milliseconds(100))
        } while SuspendingClock().now < end
        progress.end()
        print(String(decoding: try bound(learning.profile.json).readableText, as: UTF8.self), terminator: "")
    }

    /// Says what the rules are about.
    private func bound(_ profile: [UInt8]) throws -> JSON {
        let rules = try JSONReader.ofVigil(limit: BehaviourProfile.maximumSize).read(profile)
        guard let members = rules.object else { throw Failure(.internalFailure, "The rules are no JSON.") }
        let subject: [JSON.Member] = [
            .init(name: "product", value: .string(product)), .init(name: "epoch", value: .integer(epoch)),
        ]
        return .object(members.filter { member in !subject.contains { $0.name == member.name } } + subject)
    }
}
