import ArgumentParser
import BasicFoundation
import CForceField
import Console
import ForceFieldWatch
import ForceFieldWire
import ForceFieldWorker

@main
struct ForceFieldProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forcefield",
        abstract: "Runs code that nobody trusts where it can do nothing but compute.",
        discussion: """
            First steps:
              forcefield doctor                       what this machine gives
              forcefield audit                        73 attempts to get out
              forcefield run -- ./static-program      a program, locked in
              forcefield call --worker ./my-worker --method png.decode --in a.png
                                                      one call of a worker
              forcefield trace --worker ./my-worker   what it does that is forbidden

            A worker sees no file, no device, no other process and no network, has about 60 system calls, and dies \
            with the program that started it.

            LIMITS of run, call and trace
              --memory 256M --cpu 10 --wall 5000 --allow-missing landlock
              --distinct-uid off --cap entropyDevice --cap readOnlyFile=/etc/a:/a
            Without them: 512M, 30 s of processor time, 600000 ms on the clock.

            EXIT CODES
              0 clean, all well       1 audit: an attempt ended otherwise than it should
              2 wrong usage, or a file that cannot be used
             10 crashed, or ended unasked
             11 forbidden call       12 killed by the host    13 killed by the system
             14 broke the protocol   15 never started         16 answered with an error
             17 its output could not be written here, or not all of it
            run: the program's own code c if c < 10 or c ≥ 32, else 32 + c
            """,
        version: "0.1.0",
        subcommands: [
            Doctor.self, AuditCommand.self, Run.self, Call.self, Trace.self, Bench.self,
        ])

    // Not async: in a worker Swift's main executor, which is Dispatch's, must not begin.
    static func main() {
        EchoRole.runIfRequested()
        BuiltInWorker.runIfWorker()
        StandardStreams.claim(unreadableArguments: 15, wrongUsage: 2)
        do {
            var command = try parseProgram()
            try command.run()
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            // Help, the version, or a code that has been explained already.
            exit(withError: error)
        } catch {
            Failure.show(error, isParsing: exitCode(for: error) == .validationFailure)
            BasicFoundation.exit(Failure.exitCode(of: error))
        }
    }
}

/// This program as a worker that answers with the request's bytes, for tests and figures: `--worker forcefield --role
/// echo`.
enum EchoRole {
    static let name = "echo"
    static let method = Method<[UInt8], [UInt8]>("echo", maxReplyBytes: FrameLimits.largestFrame)

    static func runIfRequested() {
        guard let role = cforcefield_worker_name(), String(cString: role) == name else { return }
        var service = Service()
        service.maxFrameBytes = FrameLimits.largestFrame
        // It makes no UUIDs.
        service.acceptsConstantUUID = true
        service.handle(method) { request, _ in request }
        ForceFieldWorker.run(service)
    }
}
