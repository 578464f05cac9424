#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Kills the program at each step of a change, by strace: at the first writing call, at the second, and so on.
    @Suite(
        "generate-message, killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    struct HotSideKillTests {
        private static let writes = "pwrite64,write,fsync,fdatasync,unlink,unlinkat,ftruncate,rename,renameat,linkat"

        private func state(_ database: String) throws -> String {
            var state = ""
            for what in ["networks", "metadata"] {
                let shown = try HotMachine.program.run(["show", what, "--json", "--hot-db-path", database])
                try #require(shown.exitCode == 0, "\(shown.errors)")
                state += shown.output
            }
            return state
        }

        @Test(
            "the database is the one of before or the one of after",
            arguments: [["remove", "title", "westend-sr25519"], ["restore-defaults", "--yes"]])
        func database(_ command: [String]) async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let (database, before) = (scratch.path("hot.sqlite"), scratch.path("before.sqlite"))
                _ = try state(database)
                if command[0] == "restore-defaults" {
                    let gone = try HotMachine.program.run([
                        "remove", "title", "kusama-sr25519", "--hot-db-path", database,
                    ])
                    try #require(gone.exitCode == 0)
                }
                try FileManager.default.copyItem(atPath: database, toPath: before)
                let old = try state(database)
                let done = try HotMachine.program.run(command + ["--hot-db-path", database])
                try #require(done.exitCode == 0, "\(done.errors)")
                let new = try state(database)
                #expect(old != new)
                var (killed, seen) = (0, Set<String>())
                for step in 1...200 {
                    for name in [database, database + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
                    try FileManager.default.copyItem(atPath: before, toPath: database)
                    let words = [HotMachine.program.path] + command + ["--hot-db-path", database]
                    let outcome = try Program.shell(
                        "exec strace -f -qq -o /dev/null -e trace=\(Self.writes) -e inject=\(Self.writes):signal=KILL:when=\(step) "
                            + words.map(Program.quoted).joined(separator: " "))
                    let now = try state(database)
                    #expect(now == old || now == new, "killed at step \(step)")
                    seen.insert(now)
                    guard outcome.exitCode != 0 else { break }
                    killed += 1
                }
                #expect(killed > 5 && seen == [old, new])
            }
        }

        @Test("a first start that is killed leaves nothing that a second one does not mend")
        func firstStart() async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let expected = try state(scratch.path("whole.sqlite"))
                for step in 1...200 {
                    let database = scratch.path("\(step).sqlite")
                    let outcome = try Program.shell(
                        "exec strace -f -qq -o /dev/null -e trace=\(Self.writes) -e inject=\(Self.writes):signal=KILL:when=\(step) "
                            + Program.quoted(HotMachine.program.path) + " show networks --hot-db-path "
                            + Program.quoted(database))
                    #expect(try state(database) == expected, "killed at step \(step)")
                    guard outcome.exitCode != 0 else { break }
                }
            }
        }

        @Test("a file that is written is whole or not there", .enabled(if: SharedData.has("signer-wire/types")))
        func file() async throws {
            let scratch = try Scratch()
            try await OwnThread.run {
                let database = scratch.path("hot.sqlite")
                let types = SharedData.url("signer-wire/types/default_types.scale").path
                let command = ["load-types", "--files-dir", scratch.folder.path, "--hot-db-path", database]
                let made = try HotMachine.program.run(command + ["--types-file", types])
                try #require(made.exitCode == 0, "\(made.errors)")
                let whole = try Data(contentsOf: URL(filePath: types))
                let file = scratch.path("sign_me_load_types")
                for step in 1...200 {
                    try? FileManager.default.removeItem(atPath: file)
                    let outcome = try Program.shell(
                        "exec strace -f -qq -o /dev/null -e trace=\(Self.writes) -e inject=\(Self.writes):signal=KILL:when=\(step) "
                            + ([HotMachine.program.path] + command).map(Program.quoted).joined(separator: " "))
                    let content = try? Data(contentsOf: URL(filePath: file))
                    #expect(content == nil || content == whole, "killed at step \(step)")
                    guard outcome.exitCode != 0 else { break }
                }
            }
        }
    }
#endif
