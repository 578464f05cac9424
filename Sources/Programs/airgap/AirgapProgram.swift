import AirgapLink
import ArgumentParser
import BasicFoundation
import Console

@main
struct AirgapProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airgap",
        abstract: "Moves files over an air gap: as QR codes on one side, through a camera on the other.",
        discussion: """
            On the machine that has the file:
              airgap send chain.scale                  moving codes in this terminal
              airgap send chain.scale --out film.html  a page for any browser
              airgap send chain.scale --out film.apng  also .gif, .y4m, a folder, -

            On the machine that has the camera:
              airgap recv /dev/video0 -o chain.scale   until all of it is there
              airgap recv film.mjpeg -o chain.scale    films, pictures, folders, -

            A file of at most 2944 bytes fits one code that stands still, and one of 2953 \
            unless it begins with 00 or a byte from 80 on. Larger ones are cut with a \
            fountain code (RaptorQ): any frames will do as long as there are enough \
            different ones, and the sender makes new ones for ever.

            EXIT CODES
            0 done · 1 failed · 2 not enough frames · 3 frames contradict each other, are of several files where one \
            was asked for, or of one that is larger than --max-size · 4 wrong usage · 5 a film has used up its budget \
            before the file was whole

            \(OutputOptions.failureHelp)
            """,
        version: "0.1.0",
        subcommands: [Send.self, Receive.self, RQ.self, QR.self])

    static func main() {
        StandardStreams.claim(wrongUsage: 4)
        PictureReader.endWorkersOnSignals()
        do {
            var command = try parseProgram()
            do { try command.run() } catch let refusal as ValidationError {
                OutputOptions.printFailure("\(refusal)", code: OutputOptions.wrongUsage)
                end(refusal, by: command, 4)
            }
        } catch  where exitCode(for: error) == .failure {
            end("\(error)", Failure.exitCode(of: error))
        } catch  where exitCode(for: error) == .success {
            exit(withError: error)
        } catch {
            OutputOptions.printFailure(message(for: error), code: OutputOptions.wrongUsage)
            StandardError.write(StandardError.shown(fullMessage(for: error)) + "\n")
            BasicFoundation.exit(4)
        }
    }

    private static func end(_ text: String, _ code: Int32) -> Never {
        OutputOptions.printFailure(text, code: Failure.name(of: code))
        ProgramLine.failure(text, by: "airgap")
        BasicFoundation.exit(code)
    }
}
