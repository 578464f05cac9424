#if canImport(CSystemd)
    import Foundation
    import LogindTestSupport
    import TestSupport
    import Testing

    @Suite(
        "The programs, when the screen is locked and when the machine sleeps",
        .enabled(if: PrivateBus.isPossible, PrivateBus.reason), .serialized)
    struct LogindCommandsTests {
        private let bus: PrivateBus
        private var logind: FakeLogind { bus.logind }

        init() throws { bus = try PrivateBus() }

        /// `mainkey encrypt - -`, which has the vault open for as long as its input lasts.
        private final class Encryption {
            private let process = Process()
            private let input = Pipe()
            private let files: (output: String, errors: String)

            init(_ vault: MainKeyVault, on bus: PrivateBus) throws {
                let pin = vault.scratch.path("typed")
                try Data((MainKeyVault.pin + "\n").utf8).write(to: URL(filePath: pin))
                files = (vault.scratch.path("out"), vault.scratch.path("err"))
                let arguments = [
                    "encrypt", "-", "-", "--dir", vault.folder, "--known-vaults", vault.scratch.path("known"),
                    "--pin-fd",
                    "3",
                ]
                let command = bus.words(MainKeyVault.mainkey, arguments).map(Program.quoted).joined(separator: " ")
                let redirections = [("3<", pin), (">", files.output), ("2>", files.errors)]
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = [
                    "-c", "exec " + command + redirections.map { " " + $0.0 + Program.quoted($0.1) }.joined(),
                ]
                process.standardInput = input
                try process.run()
            }

            deinit {
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }

            /// Whether it has begun to write, and now waits for its input with the file's key in memory.
            var isAtWork: Bool {
                get throws { try !Data(contentsOf: URL(filePath: files.output)).isEmpty }
            }

            /// Gives it the rest of its input.
            func finish() throws -> (exitCode: Int32, output: Data, errors: String) {
                // It may have ended before.
                signal(SIGPIPE, SIG_IGN)
                try? input.fileHandleForWriting.write(contentsOf: Data("the end".utf8))
                try input.fileHandleForWriting.close()
                process.waitUntilExit()
                return (
                    process.terminationStatus, try Data(contentsOf: URL(filePath: files.output)),
                    try String(contentsOfFile: files.errors, encoding: .utf8)
                )
            }
        }

        @Test("mainkey says what it hears, and hears it from the bus at the system's place")
        func status() throws {
            let vault = try MainKeyVault()
            let heard = try bus.run(
                MainKeyVault.mainkey,
                ["status", "--json", "--dir", vault.folder, "--known-vaults", vault.scratch.path("known")])
            #expect(try heard.json()["lockSignals"].string == "session", "\(heard.errors)")
            #expect(!logind.calling.isEmpty)
        }

        @Test("a vault that mainkey has open is locked by the screen and by sleep, which waits for its keys to be gone")
        func mainkey() throws {
            for (signal, isAtWork) in [("lock", true), ("hint", true), ("sleep", true), ("sleep", false)] {
                let vault = try MainKeyVault()
                let encryption = try Encryption(vault, on: bus)
                #expect(bus.comes { logind.held == 1 }, "\(signal): it holds up sleep while it has keys")
                // Else it is still unlocking, most of the time.
                if isAtWork { #expect(try bus.comes { try encryption.isAtWork }) }
                switch signal {
                case "lock": logind.lock()
                case "hint": logind.hint(true)
                default: logind.prepareForSleep(true)
                }
                #expect(bus.comes { logind.held == 0 }, "\(signal)")
                let outcome = try encryption.finish()
                #expect(outcome.exitCode == 40 && outcome.errors.contains("[locked]"), "\(signal): \(outcome.errors)")
                // What it wrote is no whole file.
                let left = vault.scratch.path("left")
                try outcome.output.write(to: URL(filePath: left))
                let check = try vault.unlocked(["check", left])
                #expect(check.exitCode == 14, "\(signal): \(check.output) \(check.errors)")
                let verify = try vault.unlocked(["verify"])
                #expect(verify.exitCode == 0, "\(signal): \(verify.output) \(verify.errors)")
                logind.prepareForSleep(false)
            }
        }

        @Test("another session's lock, and who only says what logind says, end nothing")
        func others() throws {
            let vault = try MainKeyVault()
            let encryption = try Encryption(vault, on: bus)
            #expect(bus.comes { logind.held == 1 })
            let before = logind.calling.count
            logind.lock(FakeLogind.otherSession)
            // It asks whose session that is.
            #expect(bus.comes { logind.calling.count > before })
            let outcome = try encryption.finish()
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let sealed = vault.scratch.path("sealed")
            try outcome.output.write(to: URL(filePath: sealed))
            #expect(try vault.unlocked(["cat", sealed]).output == "the end")
            #expect(bus.comes { logind.held == 0 })
        }

        // MARK: casemate

        private static let pin = "a passphrase"

        /// A vault of casemate with a seed.
        private func folder(in scratch: Scratch) throws -> String {
            let folder = scratch.path("vault")
            try DemoVault.casemate.run(
                ["init", "--network-allowed", "--pin", "--vault", folder, "--pin-fd", "3"] + DemoVault.cost,
                secrets: [3: Self.pin]
            ).succeeded()
            try DemoVault.casemate.run(
                ["seed", "recover", "demo", "--phrase-fd", "4", "--vault", folder, "--pin-fd", "3"],
                secrets: [3: Self.pin, 4: DemoVault.phrase]
            ).succeeded()
            return folder
        }

        private func list(_ folder: String) throws -> Program.Outcome {
            try bus.run(DemoVault.casemate, ["seed", "list", "--vault", folder])
        }

        /// Begins a session; whether this machine has sessions.
        private func unlock(_ folder: String) throws -> Bool {
            let unlocked = try bus.run(
                DemoVault.casemate, ["unlock", "--minutes", "5", "--vault", folder, "--pin-fd", "3"],
                secrets: [3: Self.pin])
            if unlocked.exitCode == 0 { return true }
            // Where the kernel keeps no keys for a login, as in some containers.
            #expect(unlocked.errors.contains("every command will ask"), "\(unlocked.errors)")
            return false
        }

        @Test("a session of casemate opens nothing while the screen is locked")
        func lockedScreen() throws {
            let scratch = try Scratch()
            let folder = try folder(in: scratch)
            guard try unlock(folder) else { return }
            #expect(try list(folder).output.contains("demo"))
            logind.setLocked(true)
            let refused = try list(folder)
            #expect(refused.exitCode == 1 && refused.output.isEmpty && refused.errors.contains("--pin-fd"))
            logind.setLocked(false)
            #expect(try list(folder).output.contains("demo"))
        }

        @Test("a casemate that waits with its vault open locks it with the screen and with sleep, and ends the session")
        func waiting() throws {
            let scratch = try Scratch()
            let folder = try folder(in: scratch)
            for isSleep in [false, true] {
                let hasSession = try unlock(folder)
                let words = bus.words(
                    DemoVault.casemate, ["sign", "--vault", folder, "--file", VaultCommandsTests.payload])
                let session = try TerminalSession(words: words)
                // What a session opened is enough to look.
                if !hasSession {
                    try session.wait(for: "PIN:")
                    try session.type(Self.pin)
                }
                try session.wait(for: "Type yes to go on:")
                #expect(bus.comes { logind.held == 1 })
                if isSleep { logind.prepareForSleep(true) } else { logind.lock() }
                #expect(bus.comes { logind.held == 0 })
                logind.prepareForSleep(false)
                try session.type("yes")
                try session.wait(for: "PIN:")
                try session.type(Self.pin)
                #expect(session.exitCode() == 0)
                if hasSession { #expect(try list(folder).exitCode == 1, "the session is over") }
            }
        }
    }
#endif
