import ArgumentParser
import ForceField
import ForceFieldWatch
import ForceFieldWire

/// A worker that serves, and what it is asked.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A worker that links ForceField.", valueName: "program"), completion: .file())
    var worker: String?

    @Option(help: ArgumentHelp("What --worker is to be, if it is several things in one.", valueName: "name"))
    var role: String?

    @Option(
        help: ArgumentHelp("A static executable of which nothing is trusted.", valueName: "program"),
        completion: .file())
    var exec: String?

    @Option(name: .customLong("arg"), help: ArgumentHelp("An argument of --exec.", valueName: "text"))
    var arguments: [String] = []

    @Option(name: .customLong("in"), help: ArgumentHelp("The request's bytes (none: empty).", valueName: "file"))
    var input: String?

    @Flag(help: "Send the bytes of --in as an FFV1 value, as methods take them whose request is Bytes.")
    var encode = false

    @Option(help: ArgumentHelp("Until the reply has to be there.", valueName: "ms"))
    var deadline: UInt64?

    @Option(help: ArgumentHelp("The largest reply that is taken.", valueName: "bytes"))
    var maxReply = ByteCount(bytes: FrameLimits.defaultFrame)

    @Flag(help: "Accept a worker with other methods too.")
    var anyInterface = false

    func validate() throws {
        guard (worker == nil) != (exec == nil) else {
            throw ValidationError("Give the worker: --worker PROGRAM if it links ForceField, else --exec PROGRAM.")
        }
        guard exec != nil || arguments.isEmpty else {
            throw ValidationError("--arg is for --exec; a linked worker is told everything by its requests.")
        }
        guard (1...FrameLimits.largestFrame).contains(maxReply.bytes) else {
            throw ValidationError("--max-reply \(maxReply.bytes): give 1 to \(FrameLimits.largestFrame).")
        }
    }

    /// What is sent.
    func request() throws -> [UInt8] {
        let bytes = try CommandFiles.read(input)
        return encode ? try WireValue.bytes(bytes).ffv1() : bytes
    }

    /// The program that is named.
    var program: String { worker ?? exec ?? "" }

    var callDeadline: Duration? { deadline.map { .milliseconds(Int64(clamping: $0)) } }

    func complete(_ plan: inout WorkerPlan) throws {
        if let worker {
            try CommandFiles.requireWorker(worker)
            plan.program = worker
            plan.role = role
        } else {
            plan.target = exec
            plan.arguments = arguments
        }
    }

    /// - Parameters:
    ///   - method: nil accepts any interface.
    ///   - body: bytes of the request.
    func terms(method: String?, body: Int) throws -> ChannelTerms {
        var hash: UInt64?
        if let method, !anyInterface {
            do { hash = try Interface([Method<[UInt8], [UInt8]>(method).signature]).hash } catch {
                throw Failure.usage("--method: \(error)")
            }
        }
        var terms = ChannelTerms(interfaceHash: hash)
        terms.maxReply = maxReply.bytes
        terms.maxFrame = min(FrameLimits.largestFrame, max(FrameLimits.defaultFrame, maxReply.bytes, body + 8))
        return terms
    }
}
