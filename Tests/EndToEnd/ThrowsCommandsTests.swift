import Foundation
import TestSupport
import Testing

@Suite("casemate seed new with dice and coins")
struct ThrowsCommandsTests {
    private static let rolls = String(repeating: "1 2 3 4 5 6 ", count: 9)

    private func new(_ vault: DemoVault, _ name: String, _ options: [String], _ typed: String) throws -> Program.Outcome
    {
        try vault.unlocked(
            ["seed", "new", name, "--phrase-fd", "6", "--throws-fd", "5"] + options, secrets: [5: typed], taking: [6])
    }

    @Test("throws are mixed in and counted, and the same ones give another phrase each time")
    func mixed() throws {
        let vault = try DemoVault()
        let seeds = try ["first", "second"].map { name in
            let made = try new(vault, name, ["--dice"], Self.rolls)
            #expect(
                made.exitCode == 0 && made.output.contains("54 throws of dice were mixed in: 139 bits"),
                "\(made.errors)")
            return try #require(made.taken[6])
        }
        #expect(seeds[0].split(separator: " ").count == 24 && seeds[0] != seeds[1])
        let coins = try new(vault, "third", ["--coins"], String(repeating: "ht", count: 64))
        #expect(coins.exitCode == 0 && coins.output.contains("128 throws of coins"), "\(coins.errors)")
    }

    @Test("what is wrong with throws is said without them, and no seed is made")
    func refused() throws {
        let vault = try DemoVault()
        for (typed, code) in [
            ("123456", "TooFewThrows"), (Self.rolls + "7", "NoThrow"),
            (String(repeating: "6", count: 80), "ThrowsAllEqual"),
        ] {
            let refused = try new(vault, "new", ["--dice"], typed)
            #expect(refused.exitCode == 1 && refused.errors.contains("[\(code)]"), "\(refused.errors)")
            #expect(!refused.errors.contains("123456") && refused.taken[6]?.isEmpty != false)
        }
        #expect(try new(vault, "new", ["--dice", "--coins"], Self.rolls).exitCode == 64)
        #expect(try new(vault, "new", [], Self.rolls).exitCode == 64)
        #expect(try vault.run(["seed", "list", "--json"]).json().array.compactMap { $0["name"].string } == ["demo"])
    }
}
