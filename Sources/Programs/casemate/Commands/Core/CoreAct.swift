import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import MainKey
import SecretMemory
import Signer
import SignerCore

extension CoreCommand {
    struct Act: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "act",
            abstract: "Do what lines of standard input say, and print the page behind each.",
            discussion: """
                A line is a JSON object: {"action": "SelectSeed", "data": "savings"}. Each is answered by the page \
                behind it, a line of JSON with a number; begin with the action Start. Where a line says on which \
                "page" it was decided and another one is shown, it is refused as Busy and nothing is done, so that \
                nothing is done on a page that nobody looked at.

                Without --vault the vault is in memory: "detector" is what its network detector says from then on \
                (safe, connected, wasOnline, error), "secret" a secret in the clear. It ends with 1 at a line that is \
                no action.

                  printf '%s\\n' '{"action":"Start"}' '{"action":"NavbarLog"}' |
                    casemate core act

                With --vault it lives over the vault in a folder, until its input ends or a signal ends it: the vault \
                is locked then and nothing secret is left. Others can look at the vault meanwhile, and change it only \
                while it is locked. It locks by itself after the time of autolock, with the screen and with sleep, and \
                says so: a page with the cause "locked"; what the network detector sees is a page with the cause \
                "network". A line that is refused says why and ends nothing.

                No secret is in a line. A line names a descriptor that was open at the start, and one line of that is \
                the secret: {"action":"GoForward","secretFd":5}. What opens the vault is also taken from --pin-fd, one \
                line each time, or typed. Secrets of pages go to --reveal-fd, a line each: their place, a blank, the \
                secret.

                  mkfifo in pin out
                  casemate core act --vault DIR \\
                    --pin-fd 3 3<>pin 4<>words --reveal-fd 4 <in >out

                What goes in, and below it what comes out:

                  {"action":"Start"}
                    {"page":1,"screen":"Unlock", ...}
                  {"action":"GoForward"}   with a line in pin
                    {"page":2,"screen":"SeedSelector","rule":"T207", ...}
                  {"action":"TransactionFetched","data":"5301..."}
                    {"page":3,"screen":"Transaction", ...}
                  {"action":"GoForward","data":"rent","page":3}
                    {"page":4,"modal":"SignatureReady", ...}
                  {"action":"Lock"}
                    {"page":5,"screen":"Unlock","rule":"T209", ...}
                """)

        @Option(
            help: ArgumentHelp(
                "Live over the vault in this folder, which is set up where there is none.", valueName: "folder"),
            completion: .directory)
        var vault: String?

        @OptionGroup var pictures: PictureOptions

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Write what is secret on pages to this open descriptor.",
                discussion: "For example  --reveal-fd 4 4>file .",
                valueName: "n"),
            transform: OutputDescriptor.init(argument:))
        var revealFd: OutputDescriptor?

        @Flag(help: "Begin before a vault is set up, in memory.")
        var new = false

        @Flag(help: "Ask for dangers to be confirmed before a signature, in memory too.")
        var confirmDangers = false

        @Flag(help: "Print phrases, passphrases and shares of a vault in memory in its pages.")
        var reveal = false

        @OptionGroup var unlock: UnlockOptions

        func validate() throws {
            guard vault != nil else { return }
            guard !reveal else {
                throw ValidationError(
                    "Secrets of a vault in a folder are not printed. Have them written: --reveal-fd 4 4>file")
            }
            guard !new else {
                throw ValidationError(
                    "--new is for a vault in memory. A folder without a vault begins before one is set up.")
            }
        }

        func run() throws {
            var session = ActSession(try place(), output: Lines(revealing: reveal), secretOutput: revealFd)
            try session.run()
        }

        private func place() throws -> ActSession.Place {
            guard let vault else {
                return .memory(try MemoryHost(.shipped(), isOnboarded: !new, confirmsDangers: confirmDangers))
            }
            var settings = try FolderHost.Settings.installed(opening: unlock.tpm.opening(), pictures: pictures)
            settings.validatorRequired = UnlockOptions.tell(required:)
            settings.takesRecoveryCode = unlock.recoveryCode
            let host = FolderHost(URL(filePath: vault, directoryHint: .isDirectory), settings)
            let unlock = unlock
            return .folder(host, credentials: ActSession.Credentials { try unlock.credential(prompt: $0) })
        }
    }
}
