import Foundation
import TestSupport
import Testing

/// A vault that the program has made, with the public development phrase as the seed `demo`; gone with the last
/// reference.
final class DemoVault: Sendable {
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    static let pin = "a passphrase"
    static let casemate = Program(name: "casemate")
    /// The least that a PIN may cost: each command that takes one would be half a second longer.
    static let cost = ["--cost", "2:19456"]

    /// Phrases of known answers (the test vectors of BIP-39).
    static let otherPhrases = [
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
        "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
        "jelly better achieve collect unaware mountain thought cargo oxygen act hood bridge",
        "renew stay biology evidence goat welcome casual join adapt armor shuffle fault little machine walk stumble urge swap",
        "dignity pass list indicate nasty swamp pool script soccer toe leaf photo multiply desk host tomato cradle drill spread actor shine dismiss champion exotic",
        "afford alter spike radar gate glance object seek swamp infant panel yellow",
    ]

    let scratch: Scratch
    let folder: String

    /// - Parameters:
    ///   - protection: an option of 'init'; one with a PIN costs the least of Argon2id.
    ///   - folder: where it is made; nil for a place of its own.
    init(_ protection: String = "--none", in folder: String? = nil) throws {
        scratch = try Scratch()
        self.folder = folder ?? scratch.path("vault")
        let folder = self.folder
        try Self.casemate.run(
            ["init", protection, "--network-allowed", "--vault", folder, "--pin-fd", "3"]
                + (protection == "--none" ? [] : Self.cost), secrets: [3: Self.pin]
        ).succeeded()
        try unlocked(["seed", "recover", "demo", "--phrase-fd", "4"], secrets: [4: Self.phrase]).succeeded()
    }

    /// Runs a command without giving it a PIN.
    func run(_ arguments: [String]) throws -> Program.Outcome {
        try Self.casemate.run(arguments + ["--vault", folder])
    }

    /// Runs a command with the PIN.
    func unlocked(
        _ arguments: [String], secrets: [Int: String] = [:], taking: Set<Int> = []
    ) throws -> Program.Outcome {
        try Self.casemate.run(
            arguments + ["--vault", folder, "--pin-fd", "3"], secrets: secrets.merging([3: Self.pin]) { $1 },
            taking: taking)
    }

    func derive(_ path: String, password: String) throws -> String {
        let outcome = try unlocked(
            ["key", "derive", "demo", path, "--network", "westend", "--password-fd", "5", "--json"],
            secrets: [5: password]
        ).succeeded()
        return try #require(try outcome.json()[0]["publicKey"].string)
    }

    /// How often the log names an event.
    func count(of event: String) throws -> Int {
        try run(["log", "show"]).output.ranges(of: event).count
    }
}

extension Program.Outcome {
    /// What a command with `--json` has printed.
    func json() throws -> JSON { try JSON(parsing: Array(output.utf8)) }
}
