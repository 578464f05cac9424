import ArgumentParser
import Signer

/// What a vault lets pass of what the network detector finds.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Take no notice of wireless senders that are switched on.")
    var ignoreRadios = false

    @Flag(help: "Take no notice of a USB cable to a host that uses this machine as its device.")
    var ignoreGadgets = false

    @Flag(
        help: ArgumentHelp(
            "Use secrets although the machine is connected to a network.",
            discussion:
                "For vaults that hold nothing of worth, or machines that are no cold ones. Every command warns, and the log says so."
        ))
    var networkAllowed = false

    var allowance: NetworkAllowance {
        NetworkAllowance(
            ignoresRadios: ignoreRadios, ignoresGadgets: ignoreGadgets, allowsNetwork: networkAllowed)
    }
}
