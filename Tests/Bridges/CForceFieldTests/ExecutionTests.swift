#if os(Linux)
    import CForceField
    import Foundation
    import Testing

    /// Static programs, compiled when a test first needs one.
    enum StaticProgram {
        static let compiler = ["/usr/bin/gcc", "/usr/bin/cc"].first { FileManager.default.isExecutableFile(atPath: $0) }

        /// Prints its arguments and how many bytes its input has, answers one command of the channel, and exits with 7.
        static let source = """
            #include <stdio.h>
            #include <stdint.h>
            #include <unistd.h>
            int main(int count, char **arguments) {
                char bytes[64];
                for (int index = 0; index < count; index++) printf("%s\\n", arguments[index]);
                printf("%d\\n", (int)read(0, bytes, sizeof bytes));
                fflush(stdout);
                fprintf(stderr, "error\\n");
                uint32_t command[2];
                int64_t answer;
                if (read(3, command, 8) == 8) { answer = command[1] + 1; if (write(3, &answer, 8) != 8) return 1; }
                return 7;
            }
            """

        /// Compiles into a folder of its own, which the caller removes.
        static func compile(_ options: [String], _ source: String = source) throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appending(path: "forcefield-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            chmod(folder.path, 0o755)
            try source.write(to: folder.appending(path: "main.c"), atomically: true, encoding: .utf8)
            let program = folder.appending(path: "program")
            let arguments = options + ["-O1", "-o", program.path, folder.appending(path: "main.c").path]
            _ = try Programs.output(of: [try #require(compiler)] + arguments)
            return program
        }
    }

    extension LiveTests {
        @Suite("Foreign programs", .enabled(if: StaticProgram.compiler != nil, "there is no C compiler"))
        struct ExecutionTests {
            private func start(_ program: URL, _ flags: [cforcefield_policy_flags] = [], input: String? = nil) throws
                -> Worker
            {
                try Worker(target: program.path, input: input, arguments: ["name", "one", "two"]) { policy in
                    policy.flags = flags.reduce(cforcefield_policy_exec.rawValue) { $0 | $1.rawValue }
                }
            }

            private func withProgram(
                _ options: [String] = ["-static"], source: String = StaticProgram.source, _ body: (URL) throws -> Void
            ) throws {
                let program = try StaticProgram.compile(options, source)
                defer { try? FileManager.default.removeItem(at: program.deletingLastPathComponent()) }
                try body(program)
            }

            @Test("a static program runs inside, with its arguments, channel, outputs and exit code")
            func runs() throws {
                for options in [["-static"], ["-static-pie"]] {
                    try withProgram(options) { program in
                        let worker = try start(program)
                        let layers = try worker.await(cforcefield_started).started.layers
                        // An exec makes a process dumpable again.
                        #expect(layers == LayersTests.all & ~cforcefield_layer_not_dumpable.rawValue)
                        #expect(worker.ask(.echo, 41) == 42)
                        #expect(try worker.await(cforcefield_exited).exited.status == 7 << 8)
                        #expect(Worker.drain(worker.spawned.output) == "name\none\ntwo\n0\n")
                        #expect(Worker.drain(worker.spawned.errors) == "error\n")
                    }
                }
            }

            @Test("without a channel it has none, and a file may be its input")
            func input() throws {
                try withProgram { program in
                    let source = program.deletingLastPathComponent().appending(path: "input")
                    try Data("12345".utf8).write(to: source)
                    let worker = try start(
                        program, [cforcefield_policy_no_channel, cforcefield_policy_input], input: source.path)
                    #expect(try worker.await(cforcefield_exited).exited.status == 7 << 8)
                    #expect(Worker.drain(worker.spawned.output) == "name\none\ntwo\n5\n")
                }
            }

            @Test("one that the worker's uid may not execute is executed from a copy")
            func copied() throws {
                try withProgram { program in
                    chmod(program.path, 0o600)
                    let worker = try start(program)
                    _ = try worker.await(cforcefield_started)
                    #expect(worker.ask(.echo, 41) == 42)
                }
            }

            @Test("one that is larger than its memory is not copied")
            func tooLarge() throws {
                try withProgram { program in
                    truncate(program.path, 128 << 20)
                    chmod(program.path, 0o600)
                    let worker = try Worker(target: program.path) { policy in
                        policy.flags = cforcefield_policy_exec.rawValue
                        policy.memory_bytes = 64 << 20
                    }
                    let failed = try worker.await(cforcefield_stage_failed).stage_failed
                    let told = [Int32(failed.stage), failed.error]
                    #expect(told == [Int32(cforcefield_stage_executable.rawValue), EFBIG])
                }
            }

            @Test("it executes nothing else, also where the host's files are not out of sight")
            func executesNothingElse() throws {
                // The path is its own: what the filter lets through then runs.
                let source = """
                    #define _GNU_SOURCE
                    #include <fcntl.h>
                    #include <sys/syscall.h>
                    #include <unistd.h>
                    int main(int count, char **arguments) {
                        char *again[] = {arguments[0], 0};
                        if (count == 1) return 9;
                        syscall(SYS_execveat, 200, arguments[1], again, 0, AT_EMPTY_PATH);
                        return 8;
                    }
                    """
                try withProgram(source: source) { program in
                    let worker = try Worker(target: program.path, arguments: ["name", program.path]) { policy in
                        policy.flags = cforcefield_policy_exec.rawValue
                        policy.layers_off = cforcefield_layer_empty_root.rawValue | cforcefield_layer_landlock.rawValue
                    }
                    _ = try worker.await(cforcefield_started)
                    #expect(try worker.await(cforcefield_exited).exited.status & 0x7f == SIGSYS)
                }
            }

            @Test("what it does first is told after its start")
            func firstCall() throws {
                let source = """
                    #include <sys/syscall.h>
                    #include <unistd.h>
                    void _start(void) { for (;;) syscall(SYS_ptrace, 0, 0, 0, 0); }
                    """
                try withProgram(["-static", "-nostartfiles"], source: source) { program in
                    for _ in 0..<300 {
                        let worker = try start(program)
                        _ = try worker.await(cforcefield_exited)
                        let order = [
                            cforcefield_warden, cforcefield_started, cforcefield_violation, cforcefield_exited,
                        ]
                        try #require(worker.kinds == order.map(\.rawValue))
                    }
                }
            }

            @Test("one that the kernel will not execute is told, and was never started")
            func notExecutable() throws {
                try withProgram { program in
                    // The header alone, of a program without parts.
                    var header = try Data(contentsOf: program).prefix(64)
                    header[56] = 0
                    header[57] = 0
                    try header.write(to: program)
                    chmod(program.path, 0o755)
                    let worker = try start(program)
                    let failed = try worker.await(cforcefield_stage_failed).stage_failed
                    let told = [Int32(failed.stage), failed.error]
                    #expect(told == [25, ENOEXEC])
                    #expect(!worker.kinds.contains(cforcefield_started.rawValue))
                }
            }

            @Test("one that needs a loader, a script, one with set-uid and a folder are refused")
            func refused() throws {
                func refusal(_ path: String) throws -> [Int32] {
                    let failed = try start(URL(filePath: path)).await(cforcefield_stage_failed).stage_failed
                    return [Int32(failed.stage), failed.error]
                }
                #expect(try refusal("/bin/true") == [4, ENOEXEC])
                #expect(try refusal("/tmp") == [4, EACCES])
                #expect(try refusal(#filePath) == [4, ENOEXEC])
                try withProgram { program in
                    chmod(program.path, 0o4755)
                    let setUserID = try refusal(program.path)
                    #expect(setUserID == [4, EACCES])
                }
            }
        }
    }
#endif
