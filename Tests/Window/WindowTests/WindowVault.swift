#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// A vault in a folder that the terminal's program has made, by default with the public development phrase as the
    /// seed `demo`.
    final class WindowVault: Sendable {
        static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
        /// A phrase of known answers (the test vectors of BIP-39).
        static let otherPhrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        static let pin = "a passphrase"

        let scratch: TemporaryFolder
        let folder: String

        /// - Parameters:
        ///   - phrase: of the seed.
        ///   - seed: its name.
        ///   - folder: where the vault is made; nil for a place of its own.
        ///   - protection: options of 'init'.
        init(
            phrase: String = WindowVault.phrase, seed: String = "demo", in folder: String? = nil,
            _ protection: [String] = ["--none"]
        ) async throws {
            scratch = try TemporaryFolder()
            self.folder = folder ?? scratch.path("vault")
            try scratch.write(Self.pin, to: "pin")
            try scratch.write(phrase, to: "phrase")
            // The least that a PIN may cost, so that tests stay short.
            let cost = protection.contains("--none") ? [] : ["--cost", "2:19456"]
            try await casemate(["init"] + protection + cost + ["--network-allowed"])
            try await casemate(["seed", "recover", seed, "--phrase-fd", "4"])
        }

        /// Runs a command of the terminal's program with the PIN on descriptor 3, a secret on 4, and what the program
        /// writes to 6 on 7 as well: what it shows can be repeated to it.
        ///
        /// - Parameters:
        ///   - pin: what opens the vault now.
        ///   - secret: nil for the phrase of the seed.
        ///   - unlocks: whether it opens the vault; what only reads public data takes no PIN.
        /// - Returns: what it prints.
        @discardableResult
        func casemate(
            _ arguments: [String], pin: String? = nil, secret: String? = nil, unlocks: Bool = true
        ) async throws -> [String] {
            let program = try ChildProgram.built("casemate")
            let script = #"cd "$0" && exec "$@" 3<pin 4<secret 6>shown 7<shown"#
            try scratch.write(pin ?? Self.pin, to: "pin")
            try scratch.write(secret ?? scratch.text(of: "phrase") ?? "", to: "secret")
            return try await ChildProgram.run(
                "/bin/sh",
                ["-c", script, scratch.path, program] + arguments + ["--vault", folder]
                    + (unlocks ? ["--pin-fd", "3"] : []))
        }

        /// What the last command has written to descriptor 6.
        var shown: String { (scratch.text(of: "shown") ?? "").trimmingCharacters(in: .newlines) }

        /// A key as the terminal's program lists it.
        struct Key: Decodable, Hashable {
            struct Network: Decodable, Hashable {
                var address: String
                var network: String
            }

            var path: String
            var publicKey: String
            var networks: [Network]
        }

        /// The keys of a seed.
        func keys(of seed: String) async throws -> [Key] {
            let lines = try await casemate(["key", "list", "--json", "--seed", seed])
            return try JSONDecoder().decode([Key].self, from: Data(lines.joined(separator: "\n").utf8))
        }

        /// An entry of the log as the terminal's program lists it.
        struct LogEntry: Decodable {
            struct Event: Decodable, Hashable {
                var event: String
                var detail: String
            }

            var timestamp: String
            var events: [Event]
        }

        /// The log, the oldest entry first.
        func log() async throws -> [LogEntry] {
            let lines = try await casemate(["log", "show", "--json", "--count", "1000"])
            return try JSONDecoder().decode([LogEntry].self, from: Data(lines.joined(separator: "\n").utf8)).reversed()
        }

        /// How often the log names an event.
        func count(of event: String) async throws -> Int {
            try await ChildProgram.run(ChildProgram.built("casemate"), ["log", "show", "--vault", folder])
                .joined(separator: "\n").ranges(of: event).count
        }

        /// Makes a film of codes of a payload, as a wallet shows them.
        func film(of payload: String, named name: String = "film.apng") async throws -> String {
            let file = try scratch.write(WestendPayload.bytes(of: payload), to: "payload-\(name)")
            _ = try await ChildProgram.run(
                ChildProgram.built("airgap"), ["send", file, "--out", scratch.path(name), "--density", "medium"])
            return scratch.path(name)
        }

        /// Opens the vault in a window that has no network, with films in the camera's place.
        func window(films: [String] = [], _ arguments: [String] = []) throws -> DrivenWindow {
            try DrivenWindow(
                ChildProgram.built("casemate-window"),
                ["--vault", folder] + films.flatMap { ["--film", $0] } + arguments, on: Desktop(), hasNetwork: false)
        }
    }

    /// An implementation of sr25519 that is not ours: `py-sr25519-bindings`, in a virtual environment that the first
    /// test that asks makes.
    enum IndependentVerifier {
        static let absence: Comment = "python3-venv or PyPI is not there, so there is no independent verifier"

        private static let folder: TemporaryFolder? = {
            guard let folder = try? TemporaryFolder() else { return nil }
            let commands =
                #"python3 -m venv "$0" && "$0/bin/pip" install --quiet --disable-pip-version-check py-sr25519-bindings"#
            return (try? Tool.run("/bin/sh", ["-c", commands, folder.path("venv")])) == nil ? nil : folder
        }()

        static var isPossible: Bool { folder != nil }

        /// Whether a signature, told by the digits of its hex, is one of the signable bytes of a transaction.
        static func verifies(_ signature: String, of signable: String, by key: String) async throws -> Bool {
            let script = """
                import hashlib, sr25519, sys
                signature, signable, key = [bytes.fromhex(word) for word in sys.argv[1:4]]
                if len(signable) > 256: signable = hashlib.blake2b(signable, digest_size=32).digest()
                print(sr25519.verify(signature, signable, key))
                """
            let python = folder.map { $0.path("venv/bin/python") } ?? "python3"
            return try await ChildProgram.run(python, ["-c", script, signature, signable, key]) == ["True"]
        }
    }
#endif
