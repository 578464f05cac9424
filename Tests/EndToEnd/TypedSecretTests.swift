import Foundation
import TestSupport
import Testing

@Suite("Secrets that are typed, or read from a descriptor")
struct TypedSecretTests {
    @Test("a descriptor without a line costs no attempt")
    func empty() throws {
        let vault = try MainKeyVault()
        for nothing in ["", "\n", "\r\n"] {
            for options in [[], ["--recovery"]] {
                let refused = try vault.run(["verify", "--pin-fd", "3"] + options, secrets: [3: nothing])
                #expect(refused.exitCode == 60 && refused.errors.contains("it has no line left"), "\(refused.errors)")
            }
        }
        #expect(try vault.status()["attemptsLeft"].int == 10)
    }

    @Test("a line ends as Unix or as Windows ends it")
    func lineBreaks() throws {
        let vault = try MainKeyVault()
        let verified = try vault.run(["verify", "--pin-fd", "3"], secrets: [3: MainKeyVault.pin + "\r\n"])
        #expect(verified.exitCode == 0, "\(verified.errors)")
        let signer = try DemoVault("--pin")
        let listed = try signer.run(["seed", "list"], pin: DemoVault.pin + "\r\n")
        #expect(listed.exitCode == 0, "\(listed.errors)")
    }

    @Test("what is too long is told with the length that is taken")
    func tooLong() throws {
        let vault = try DemoVault("--pin")
        for pin in [String(repeating: "a", count: 1024), String(repeating: "a", count: 1024) + "\r\n"] {
            let wrong = try vault.run(["seed", "list"], pin: pin)
            #expect(wrong.exitCode == 10, "\(wrong.errors)")
        }
        let tooLong = try vault.run(["seed", "list"], pin: String(repeating: "a", count: 1025))
        #expect(tooLong.exitCode == 1 && tooLong.errors.contains("At most 1024 bytes"), "\(tooLong.errors)")
        let session = try TerminalSession(DemoVault.casemate, ["seed", "list", "--vault", vault.folder])
        try session.wait(for: "PIN:")
        try session.type(String(repeating: "a", count: 1025))
        try session.wait(for: "At most 1024 bytes")
    }

    @Test("keys that write nothing are no part of a PIN")
    func controlKeys() throws {
        let vault = try DemoVault("--pin")
        let session = try TerminalSession(DemoVault.casemate, ["seed", "list", "--vault", vault.folder])
        try session.wait(for: "PIN:")
        // Ctrl-Z, arrows, a function key, Tab, and what surrounds text that is pasted.
        let (half, rest) = (DemoVault.pin.prefix(4), DemoVault.pin.dropFirst(4))
        try session.type("\u{1a}\(half)\u{1b}[D\u{1b}OC\u{1b}[15~\t\u{1b}[200~\(rest)\u{1b}[201~")
        try session.wait(for: "demo")
        #expect(session.exitCode() == 0)
    }

    @Test("whoever stops while a new PIN is asked for has cancelled, and who types none is told so")
    func newPIN() throws {
        let vault = try DemoVault()
        let commands: [(Program, [String], cancelled: Int32, empty: Int32)] = [
            (MainKeyVault.mainkey, ["init", "--dir", vault.folder + "-new"] + MainKeyVault.cost, 1, 64),
            (DemoVault.casemate, ["protect", "--pin", "--vault", vault.folder], 4, 1),
        ]
        for (program, words, cancelled, empty) in commands {
            for (keys, code, text) in [("abc\u{3}", cancelled, "Cancelled"), ("\r", empty, "Nothing was typed")] {
                let session = try TerminalSession(program, words)
                try session.wait(for: "New PIN")
                try session.type(keys)
                try session.wait(for: text)
                #expect(session.exitCode() == code, "\(words)")
            }
        }
    }

    @Test("an empty token does not take the place of one")
    func token() throws {
        let vault = try MainKeyVault()
        #expect(try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: "first"]).exitCode == 0)
        let refused = try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: "\n"])
        #expect(refused.exitCode == 60 && refused.errors.contains("--token-fd"), "\(refused.errors)")
        #expect(try vault.unlocked(["token", "get", "t"]).output == "first")
        // As the manual stores it.
        let stored = try vault.unlocked(["token", "set", "t", "--token-fd", "0"], input: Array("second\n".utf8))
        #expect(stored.exitCode == 0, "\(stored.errors)")
        #expect(try vault.unlocked(["token", "get", "t"]).output == "second")
    }
}

extension DemoVault {
    /// Runs a command with another PIN.
    fileprivate func run(_ arguments: [String], pin: String) throws -> Program.Outcome {
        try Self.casemate.run(arguments + ["--vault", folder, "--pin-fd", "3"], secrets: [3: pin])
    }
}
