#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Kills the program at each system call that writes, by strace: at the first of its kind, at the second, and so
    /// on.
    @Suite(
        "generate-message, killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    struct HotSideKillTests {
        private static let calls = [
            "pwrite64", "write", "fsync", "fdatasync", "unlink", "unlinkat", "ftruncate", "rename", "renameat",
            "renameat2",
            "linkat",
        ]

        /// Runs a command until it has been killed at each of its calls.
        ///
        /// - Parameters:
        ///   - prepare: puts things as they were before.
        ///   - look: looks at what a kill has left.
        /// - Returns: at how many calls it was killed.
        private func killing(
            _ command: [String], prepare: () throws -> Void, look: (_ place: String) throws -> Void
        ) throws -> Int {
            let words = ([HotMachine.program.path] + command).map(Program.quoted).joined(separator: " ")
            var killed = 0
            for call in Self.calls {
                for step in 1...100 {
                    try prepare()
                    // A call that this machine does not have is passed over.
                    let outcome = try Program.shell(
                        "exec strace -f -qq -o /dev/null -e trace='?\(call)' -e inject='?\(call)':signal=KILL:when=\(step) \(words)"
                    )
                    try look("killed at \(call) \(step)")
                    guard outcome.exitCode != 0 else { break }
                    killed += 1
                }
            }
            return killed
        }

        private func state(_ database: String) throws -> String {
            var state = ""
            for what in ["networks", "metadata"] {
                let shown = try HotMachine.program.run(["show", what, "--json", "--hot-db-path", database]).succeeded()
                state += shown.output
            }
            return state
        }

        private func remove(_ database: String) {
            for name in [database, database + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
        }

        @Test(
            "the database is the one of before or the one of after",
            arguments: [["remove", "title", "westend-sr25519"], ["restore-defaults", "--yes"]])
        func database(_ command: [String]) async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let (database, before) = (scratch.path("hot.sqlite"), scratch.path("before.sqlite"))
                let place = ["--hot-db-path", database]
                _ = try state(database)
                let gone = try HotMachine.program.run(["remove", "title", "kusama-sr25519"] + place)
                try #require(gone.exitCode == 0)
                try FileManager.default.copyItem(atPath: database, toPath: before)
                let old = try state(database)
                try HotMachine.program.run(command + place).succeeded()
                let new = try state(database)
                #expect(old != new)
                var seen: Set<String> = []
                let killed = try killing(command + place) {
                    remove(database)
                    try FileManager.default.copyItem(atPath: before, toPath: database)
                } look: { killed in
                    let now = try state(database)
                    #expect(now == old || now == new, "\(killed)")
                    seen.insert(now)
                }
                #expect(killed > 8 && seen == [old, new])
            }
        }

        @Test("a first start that is killed leaves nothing that a second one does not mend")
        func firstStart() async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let expected = try state(scratch.path("whole.sqlite"))
                let database = scratch.path("hot.sqlite")
                let killed = try killing(["show", "networks", "--hot-db-path", database]) {
                    remove(database)
                } look: { killed in
                    let now = try state(database)
                    #expect(now == expected, "\(killed)")
                }
                #expect(killed > 8)
            }
        }

        @Test("a file that is written is whole or not there", .enabled(if: SharedData.has("signer-wire/types")))
        func file() async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let types = SharedData.url("signer-wire/types/default_types.scale").path
                let command = [
                    "load-types", "--files-dir", scratch.path, "--hot-db-path", scratch.path("hot.sqlite"),
                ]
                try HotMachine.program.run(command + ["--types-file", types]).succeeded()
                let whole = try Data(contentsOf: URL(filePath: types))
                let file = scratch.path("sign_me_load_types")
                var seen: Set<Data?> = []
                let killed = try killing(command) {
                    try? FileManager.default.removeItem(atPath: file)
                } look: { killed in
                    let content = try? Data(contentsOf: URL(filePath: file))
                    #expect(content == nil || content == whole, "\(killed)")
                    seen.insert(content)
                }
                #expect(killed > 3 && seen == [nil, whole])
            }
        }
    }
#endif
