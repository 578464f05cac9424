import ArgumentParser

/// Which keys come with a seed, beside the one at the usual path of each network.
struct SeedKeysOptions: ParsableArguments {
    @Flag(help: "Put the key of the seed itself into each network too.")
    var roots = false
}
