import ArgumentParser
import BasicFoundation
import CLinux
import Console

@main
struct VigilHashTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil-hash-tool",
        abstract: "Digests of programs and libraries (ELF and Mach-O), by which their code is recognised.",
        discussion: """
            First steps:
              vigil-hash-tool hash app                its identity: text2
              vigil-hash-tool hash --profile all app  all digests of it
              vigil-hash-tool hash --json app         with segments and signature
              vigil-hash-tool bundle dist             one digest of all images below
              vigil-hash-tool pages app --diff other  where two builds differ
              vigil-hash-tool writable app            whether constants of it stay writable
              vigil-hash-tool pid 4711                whether a program runs as its file says

            DIGESTS (all SHA-256)
              text1     the bytes of the code segment as they are. Signing a Mach-O
                        file changes it: for old validators only.
              text2     all code and read-only data, the same before and after
                        strip and signing, in the file and in a running process
              load2     text2 and the data that is loaded with it; of files only
              pageRoot  the digests of the 4096-byte pages that text2 covers
              file      the whole file, as sha256sum has it
              fsverity  what Linux answers for a file that fs-verity protects

            EXIT CODES
              0 done · 1 something differs · 2 wrong usage
              3 the input is malformed or unsupported; the word in [] says how
              4 something cannot be read or written
            """,
        version: "0.1.0",
        subcommands: [
            Hash.self, Bundle.self, CodeSign.self, Pages.self, Writable.self, ExpectedHashes.self, MakeManifest.self,
            Sign.self, Verify.self,
        ] + ofThisSystem,
        defaultSubcommand: ExpectedHashes.self)

    /// Those that look into processes as Linux lets them.
    private static var ofThisSystem: [any ParsableCommand.Type] {
        #if os(Linux)
            [MeasureSelf.self, MeasureProcess.self]
        #else
            []
        #endif
    }

    static func main() {
        StandardStreams.claim(wrongUsage: 2)
        // Before a release key is read: no core dump, no back-trace of registers and memory, no other process that
        // looks.
        let isHardened = clinux_harden_process() == 0
        do {
            guard isHardened else { throw Failure.hardening }
            var command = try parseProgram()
            do { try command.run() } catch let refusal as ValidationError { end(refusal, by: command, 2) }
        } catch let failure as Failure {
            failure.show()
            endProcess(failure.exitCode)
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            // Help, the version, or a code that has been explained already.
            exit(withError: error)
        } catch {
            StandardError.write(StandardError.shown(fullMessage(for: error)) + "\n")
            endProcess(exitCode(for: error) == .validationFailure ? 2 : 4)
        }
    }
}

/// exit(3), beside that of commands.
private func endProcess(_ code: Int32) -> Never { exit(code) }
