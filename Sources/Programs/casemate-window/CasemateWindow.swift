import ArgumentParser
import BasicFoundation
import CLinux
import Console
import InstalledSigner
import MainKey
import TextForms

@main
struct CasemateWindow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "casemate-window",
        abstract: "The air-gapped signer in a window.",
        discussion: """
            First steps:
              casemate-window --demo            look around with public test keys
              casemate-window                   your vault; it is set up where there is none
              casemate-window --isolated        the same, away from the machine's network
              casemate-window --film codes.mov  codes of a film or picture, not a camera
              casemate-window --kiosk           the whole screen and nothing else

            It is the program casemate with another face: the same vault, the same rules. One of them has the vault at \
            a time. Everything can be done by the keyboard alone.

            Of the environment it takes where the screen is, the language, and CASEMATE_, MAINKEY_ and VIGIL_ \
            variables; style sheets, fonts and modules of the user are not loaded. On X11 other programs of the screen \
            can see the window and what is typed: use Wayland, or --kiosk on a screen of its own.

            EXIT CODES
            \(WindowExit.help)
            """,
        version: "0.1.0")

    @Flag(help: "Begin with a vault in memory under the public development phrase, and a transaction to scan.")
    var demo = false

    @Flag(help: "Take the whole screen.")
    var kiosk = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Make this empty file when the window was closed.",
            discussion: "By it, what started the program tells a window that was closed from one that died.",
            valueName: "file"),
        completion: .file())
    var closedNote: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read this film, picture or folder in the camera's place.",
            discussion: "Given more than once, each scan takes the next one.", valueName: "file"),
        completion: .file())
    var film: [String] = []

    @Option(name: .long, help: ArgumentHelp("The camera.", valueName: "device"), completion: .file())
    var camera = "/dev/video0"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Whether screen readers can read the window.",
            discussion: "What they read, other programs of the session can read too. Default: on, and off with --kiosk."
        ))
    var accessibility: OnOff?

    @Option(name: .long, help: "Light or dark.")
    var look = Look.system

    @Flag(help: "Open the vault with its recovery code instead of the PIN.")
    var recoveryCode = false

    @OptionGroup var pictures: PictureOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var tpm: TPMOptions

    enum OnOff: String, ExpressibleByArgument, CaseIterable { case on, off }
    enum Look: String, ExpressibleByArgument, CaseIterable { case system, light, dark }

    static func main() {
        // Before anything else: what follows runs in an environment of the program's own.
        WindowEnvironment.enter()
        // Before anything is opened: what was open is what options may name.
        StandardStreams.claim()
        // Before there is another thread, and before the process hides from itself.
        let arguments: [String]
        do { arguments = try Isolation.takeFlag(from: Array(CommandLine.arguments.dropFirst())) } catch { end(error) }
        // Its own descriptors first: afterwards no process may open them.
        InstalledValidator.prepare()
        // Before anything secret exists: no core dump, no back-trace of registers and memory. What is freed is put to
        // zeros by CZeroingHeap, which this program is linked with.
        guard clinux_harden_process() == 0 else { end(InstallationError.notHardened) }
        MainKeyEvent.observeAll { if let warning = $0.warning { Warning.show(warning) } }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let error as WindowError {
            end(error)
        } catch let error as InstallationError {
            end(error)
        } catch {
            exit(withError: error)
        }
    }

    private static func end(_ error: any Error) -> Never {
        ProgramLine.note(ScreenText.escape("\(error)"), by: "casemate-window")
        BasicFoundation.exit(WindowExit(error).rawValue)
    }
}
