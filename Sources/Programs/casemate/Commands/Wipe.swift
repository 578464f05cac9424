import ArgumentParser
import Console
import InstalledSigner
import Signer

struct Wipe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove all seeds, then everything else, and begin anew under the same PIN.",
        discussion: """
            Seeds, keys, contacts, networks and the log are gone, and what was sealed opens no more, from a copy of \
            the folder either once its PIN is not known. What was written on paper is all that is left. Networks are \
            those of this release again, and the network policy is strict. Interrupted at any moment, it is finished \
            when the vault is opened next.

            A vault follows one general verifier for life. To follow another one, forget it: --forget-verifier. The \
            first one that signs an update is followed then.
            """)

    @Flag(help: "Follow no general verifier behind it, until one signs an update.")
    var forgetVerifier = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: OpeningOptions

    private struct Done: Encodable {
        var wiped: String
        /// `release` or `none`.
        var follows: String
    }

    func run() throws {
        let folder = options.vault.folder
        let opened = try options.open(guarding: .wipe)
        if !yes {
            try opened.whileWaiting {
                try Question.confirm("Remove all seeds, keys, networks and the log of \(folder.path) for ever?")
            }
        }
        try NetworkGate.check(.wipe, in: opened)
        try InterruptedWipe.explaining(in: folder) {
            try opened.wipe(with: .shipped(), following: forgetVerifier ? .none : .ofRelease)
        }
        try options.output.show(
            Done(wiped: folder.path, follows: forgetVerifier ? "none" : "release"),
            text: "The vault is as new. Next: casemate seed new NAME")
    }
}
