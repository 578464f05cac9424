import ArgumentParser
import Console
import SecretMemory
import Signer

/// Throws of dice or coins that a new phrase is drawn from as well.
struct ThrowsOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Mix in throws of dice that you type.",
            discussion:
                "50 or more digits from 1 to 6, blanks as you like. They are mixed with the machine's random sources, never instead of them."
        ))
    var dice = false

    @Flag(help: "Mix in throws of coins that you type: 128 or more of 0 and 1, or of h and t.")
    var coins = false

    @Option(
        help: ArgumentHelp("Read the throws from this open descriptor instead of the terminal.", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var throwsFd: InputDescriptor?

    func validate() throws {
        guard !(dice && coins) else { throw ValidationError("Give --dice or --coins, not both.") }
        guard throwsFd == nil || dice || coins else {
            throw ValidationError("Say what was thrown beside --throws-fd: --dice or --coins.")
        }
    }

    private var kind: ThrownRandom.Kind? { dice ? .dice : coins ? .coins : nil }

    /// What a new phrase is drawn from: the machine's sources, with the throws where there are any. A person who types
    /// something else on the terminal is asked again.
    ///
    /// - Parameter vault: not locked for want of use while a person types.
    /// - Returns: also what a person is told of the throws; empty where there are none.
    func source(waiting vault: Vault) throws -> (source: any RandomSource, told: String) {
        guard let kind else { return (MixedRandom.standard, "") }
        while true {
            let typed = try vault.whileWaiting {
                try SecretInput.read(descriptor: throwsFd, prompt: "Throws of \(kind.rawValue)", option: "--throws-fd")
            }
            do {
                let thrown = try ThrownRandom(typed, of: kind)
                return (MixedRandom.standard(with: thrown), thrown.told(as: kind) + "\n")
            } catch let fault as ThrowsFault where throwsFd == nil {
                Warning.show("\(fault)")
            }
        }
    }
}
