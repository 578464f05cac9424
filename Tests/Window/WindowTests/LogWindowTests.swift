#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    @Suite("The log in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct LogWindowTests {
        @Test("what was signed is in the log, by its call and its key, and in its details")
        func signed() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.remark("for the log")))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.type("rent of May", into: "Comment for the log")
            try window.sees("rent of May")
            try window.readToTheEnd()
            try window.hold("Sign")
            try window.sees("Code of the signature")
            try window.press("Done", to: "Log/-")
            try window.sees("TransactionSigned westend: rent of May")
            try window.press("TransactionSigned", to: "LogDetails/-")
            let words = try window.words()
            for text in [
                "westend: rent of May", "Call 1: System.remark", "\"for the log\"",
                "5DVJ WniD yUja 5xnG 4t5i 3Rrd 2Ggu f1fz xPYf gZBb KcvF qk4N", "key set demo, path //westend",
            ] {
                #expect(words.contains { $0.contains(text) }, "\(text)")
            }
            // A note is an entry of its own, and what it says is shown as it is.
            try window.press("Back")
            try window.writeNote("moved the <b>box</b>")
            try window.sees("UserEntry \"moved the <b>box</b>\"")
            window.end()
            // The chain of the log holds, and the terminal's program has the same in it.
            try await vault.casemate(["log", "verify"])
            #expect(try await vault.count(of: "rent of May") == 1)
        }

        @Test("all of a long log is shown by and by, and what the terminal said of it once is found in it again")
        func long() async throws {
            struct Verdict: Decodable {
                var digest: String
                var entries: Int
            }
            let vault = try await WindowVault()
            let lines = try await vault.casemate(["log", "verify", "--json"])
            let earlier = try JSONDecoder().decode(Verdict.self, from: Data(lines.joined(separator: "\n").utf8))
            for number in 1...22 { try await vault.casemate(["log", "comment", "note \(number)"]) }
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("Log", to: "Log/-")
            try window.sees("note 22")
            try window.press("Older ones")
            try window.sees("Here are those with the numbers 4 to 0.")
            try window.sees("UserEntry note 1")
            try window.seesNoMore("note 22")
            try window.press("Newer ones")
            try window.sees("note 22")
            try window.press("Checksum of the log")
            try window.sees("The log is whole")
            try window.press("Compare with an earlier digest")
            try window.type(earlier.digest, into: "The digest that you noted")
            try window.press("Compare")
            try window.sees("at entry \(earlier.entries).")
            try window.type(String(repeating: "0", count: 64), over: "The digest that you noted")
            try window.keys("Return")
            try window.sees("The log never had this digest")
            window.end()
        }
    }
#endif
