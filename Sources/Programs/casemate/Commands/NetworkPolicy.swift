import ArgumentParser
import Console
import InstalledSigner
import Signer

struct NetworkPolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network-policy",
        abstract: "Show or change what this vault lets pass of a connected machine.",
        discussion: """
            A vault is strict: with an interface up, a route, a radio that is switched on or a USB cable to a host, \
            everything with secrets is refused. What is given here takes the place of what was; --strict lets nothing \
            pass. Asks for the PIN, also within a session, and the log says what was changed. No variable and no other \
            file changes it.
            """)

    @OptionGroup var network: NetworkOptions

    @Flag(help: "Let nothing pass.")
    var strict = false

    @OptionGroup var options: OpeningOptions

    func validate() throws {
        guard !strict || network.allowance == .strict else {
            throw ValidationError("Give --strict alone.")
        }
    }

    func run() throws {
        guard strict || network.allowance != .strict else {
            return try show(options.open(for: .read).networkAllowance())
        }
        let opened = try options.open()
        try opened.setNetworkAllowance(network.allowance)
        try show(network.allowance)
    }

    private func show(_ allowance: NetworkAllowance) throws {
        try options.output.show(allowance.names, text: allowance.line)
    }
}

extension NetworkAllowance {
    var line: String {
        names.isEmpty
            ? "strict: secrets are used only while nothing is connected"
            : names.joined(separator: ", ") + (allowsNetwork ? ": secrets are used on a connected machine, too" : "")
    }
}
