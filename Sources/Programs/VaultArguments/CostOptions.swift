import ArgumentParser
import MainKey

/// The option `--cost` of commands that take a new PIN.
package struct CostOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The cost of a PIN (Argon2id), instead of what the machine takes half a second for.",
            discussion: "At least 2:19456. See: mainkey calibrate", valueName: "passes:KiB"))
    private var cost: CostArgument?

    package init() {}

    /// What was asked for; nil for nothing.
    package var argon2: Argon2Cost? { cost?.cost }
}

/// A cost of Argon2id, written `passes:KiB`.
struct CostArgument: ExpressibleByArgument {
    let cost: Argon2Cost

    init?(argument: String) {
        let numbers = argument.split(separator: ":").compactMap { UInt32($0) }
        guard numbers.count == 2, argument.split(separator: ":").count == 2 else { return nil }
        cost = Argon2Cost(passes: numbers[0], memoryKiB: numbers[1])
    }
}
