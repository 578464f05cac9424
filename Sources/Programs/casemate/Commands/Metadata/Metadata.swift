import ArgumentParser

struct Metadata: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Runtime metadata files: look, thin out, pack, hash, prove and verify.",
        subcommands: [Show.self, Lean.self, Pack.self, Digest.self, Prove.self, Verify.self])
}
