import Foundation
import TestSupport
import Testing

@Suite("The memory of a command that waits behind a locked vault")
struct MemoryImageTests {
    @Test(
        "after lock it holds no PIN, no phrase, and nothing private but what the screen shows", .timeLimit(.minutes(30))
    )
    func afterLock() throws {
        let scratch = try Scratch()
        let folder = scratch.path("vault")
        // Nowhere else in this test's output or arguments.
        let pin = "Kolibri-\(UInt64.random(in: .min ... .max))-im-Garten"
        func run(_ arguments: [String], _ more: [Int: String] = [:]) throws -> Program.Outcome {
            let outcome = try DemoVault.casemate.run(
                arguments + ["--vault", folder, "--pin-fd", "3"],
                secrets: more.merging([3: "\(pin)\n\(pin)\n\(pin)"]) { $1 }, taking: [6]
            ).succeeded()
            return outcome
        }
        _ = try run(["init", "--network-allowed", "--autolock", "0"] + DemoVault.cost)
        let made = try run(["seed", "new", "Holiday house fund", "--words", "12", "--phrase-fd", "6"])
        let phrase = try #require(made.taken[6]).trimmingCharacters(in: .newlines)
        #expect(phrase.split(separator: " ").count == 12)
        _ = try run(["seed", "recover", "demo", "--phrase-fd", "4"], [4: DemoVault.phrase])
        _ = try run(["key", "derive", "Holiday house fund", "//roof//repairs2026", "--network", "westend"])
        _ = try run(
            ["sign", "--file", VaultCommandsTests.payload, "--yes", "--comment", "for the gardener in June"])
        let locked = try run(
            ["key", "derive", "demo", "//locked", "--network", "westend", "--password-fd", "5", "--json"], [5: "right"])
        let key = try #require(try locked.json()[0]["publicKey"].string)
        let others = try run(["key", "list", "--json"]).json().array.filter { $0["seed"].string != "demo" }

        let call = WestendPayload.transfer(to: WestendPayload.bob)
        let payload = WestendPayload.transaction(call, by: String(key.dropFirst(2)))
        let session = try TerminalSession(DemoVault.casemate, ["sign", "--hex", payload, "--vault", folder])
        try session.wait(for: "PIN:")
        try session.type(pin)
        try session.wait(for: "Type yes to go on:")
        try session.type("yes")
        try session.wait(for: "Password of")
        try session.type("wrong")
        try session.wait(for: "has locked itself")
        try session.type(pin)
        // The seed has been opened, the password was wrong, and it waits, locked, for another.
        try session.wait(for: "attempts left")
        try session.wait(for: "Password of")

        var needles = [
            "PIN": Array(pin.utf8), "phrase": Array(phrase.utf8),
            "seed name": Array("Holiday house fund".utf8), "path": Array("//roof//repairs2026".utf8),
            "comment": Array("for the gardener in June".utf8),
        ]
        for other in others {
            let text = try #require(other["publicKey"].string)
            needles["key \(text)"] = Self.bytes(text)
        }
        let id = try session.programID()
        // It locks right after it has asked, and on a busy machine a while after that; what is left then stays.
        var found = try MemoryImage.search(process: id, for: needles)
        for _ in 0..<600 where !found.isEmpty {
            usleep(100_000)
            found = try MemoryImage.search(process: id, for: needles)
        }
        #expect(found == [:])
        // It would be found if it were there: what is signed is.
        let shown = Self.bytes(key)
        #expect(try MemoryImage.search(process: id, for: ["shown": shown]).isEmpty == false)
    }

    private static func bytes(_ hex: String) -> [UInt8] { WestendPayload.bytes(of: String(hex.dropFirst(2))) }
}
