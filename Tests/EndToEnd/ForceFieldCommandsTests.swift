import Foundation
import TestSupport
import Testing

/// The program `forcefield`, run as a person or a script would run it.
///
/// Source: `forcefield` sections 18 to 20.
@Suite("forcefield", .serialized, .timeLimit(.minutes(30)))
struct ForceFieldCommandsTests {
    private static let program = Program(name: "forcefield")
    /// Whether a strict worker starts on this machine: what needs one is skipped otherwise.
    private static let isStrict = (try? program.run(["doctor"]).exitCode) == 0
    private static let echo = ["--worker", program.path, "--role", "echo", "--method", "echo"]

    /// Whether an older program has left such objects here.
    private static let hadObjects = (try? Program.shell("exec ipcs -m -q").output.contains("0x00004646")) ?? false

    private func run(_ arguments: [String], input: [UInt8] = []) throws -> Program.Outcome {
        try Self.program.run(arguments, input: input)
    }

    private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

    // MARK: doctor and audit

    @Test("doctor says what the machine gives, and exits with what strict would say")
    func doctor() throws {
        let outcome = try run(["doctor"])
        #expect([0, 15].contains(outcome.exitCode))
        #expect(outcome.output.contains(outcome.exitCode == 0 ? "strict works" : "strict refuses"))
        let answer = try json(try run(["doctor", "--json"]).output)
        #expect(answer["strict"].bool == (outcome.exitCode == 0))
        #expect(answer["layers"].array.count == 18)
        #expect(answer["layers"].array.allSatisfy { $0["found"].string?.isEmpty == false })
    }

    @Test("doctor says why where user namespaces are not to be had, and what helps", .enabled(if: isStrict))
    func doctorWithoutNamespaces() throws {
        let outcome = try Program.shell(
            "exec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; exec \(Program.quoted(Self.program.path)) doctor'"
        )
        #expect(outcome.exitCode == 15, "\(outcome.errors)")
        #expect(outcome.output.contains("user.max_user_namespaces"))
    }

    @Test("all 73 attempts to get out are blocked as expected", .enabled(if: isStrict))
    func audit() throws {
        let outcome = try run(["audit"])
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(outcome.output.contains("73 blocked, 0 allowed"))
        let lines = try json(try run(["audit", "--json"]).output).array
        #expect(lines.count == 73 && lines.allSatisfy { $0["isAsExpected"].bool == true })
        #expect(lines.first { $0["name"].string == "ker_bpf" }?["results"]["all"].string == "blocked (killed: bpf)")
    }

    @Test("an unprivileged user gets the same audit", .enabled(if: isStrict && geteuid() == 0))
    func unprivilegedAudit() throws {
        // The build folder may be closed to other users; the program is not.
        let scratch = try Scratch()
        let copy = scratch.path("forcefield")
        try ExecutableCopy.make(of: Self.program.path, at: copy)
        for path in [scratch.path, copy] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let outcome = try Program.shell(
            "exec setpriv --reuid 12347 --regid 12347 --clear-groups \(Program.quoted(copy)) audit")
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("73 blocked, 0 allowed"))
    }

    @Test("without the filter some attempts succeed, and with it alone none does", .enabled(if: isStrict))
    func layers() throws {
        let outcome = try run(["audit", "--layers"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("\nfilter alone: 73 blocked, 0 allowed"))
        #if arch(x86_64)
            #expect(outcome.output.contains("uretprobe (335) and uprobe (336)"))
        #endif
        // What succeeds without a namespace of its own is taken back: twice gives the same, and nothing of it is left.
        #expect(try Program.shell("exec ipcs -m -q").output.contains("0x00004646") == Self.hadObjects)
        #expect(outcome.output.contains("ALLOWED"))
    }

    // MARK: run

    /// A static program that does what its argument says.
    private func compile(_ options: String = "-static") throws -> (scratch: Scratch, program: String) {
        let scratch = try Scratch()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path)
        let source = """
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/socket.h>
            int main(int count, char **arguments) {
                const char *deed = count > 1 ? arguments[1] : "";
                if (!strcmp(deed, "exit")) return atoi(arguments[2]);
                if (!strcmp(deed, "copy")) { int c; while ((c = getchar()) != EOF) putchar(c); fputs("copied", stderr); return 0; }
                if (!strcmp(deed, "listen")) return listen(0, 1) == -1 ? 0 : 1;
                if (!strcmp(deed, "abort")) abort();
                if (!strcmp(deed, "spin")) for (;;) {}
                if (!strcmp(deed, "steer")) {
                    printf("\\033]0;title\\007\\033[2Jstr\\303");
                    fflush(stdout);
                    fputs("\\033[8mhidden\\n", stderr);
                    printf("\\266m\\302\\2332J\\n");
                    return 0;
                }
                if (!strcmp(deed, "flood")) for (;;) puts("more");
                if (!strncmp(deed, "proc_", 5)) { printf("%s ALLOWED\\n", deed); return 0; }
                printf("%s BLOCKED errno=13\\n", deed);
                return 0;
            }
            """
        try Data(source.utf8).write(to: URL(filePath: scratch.path("main.c")))
        let outcome = try Program.shell(
            "cc \(options) -O1 -o \(Program.quoted(scratch.path("program"))) \(Program.quoted(scratch.path("main.c")))")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return (scratch, scratch.path("program"))
    }

    @Test("run relays both outputs, gives the file as input, and passes the exit code on", .enabled(if: isStrict))
    func runs() throws {
        let (scratch, program) = try compile()
        try Data("text".utf8).write(to: URL(filePath: scratch.path("in")))
        let copied = try run(["run", "--stdin", scratch.path("in"), "--", program, "copy"])
        #expect(copied.exitCode == 0 && copied.output == "text" && copied.errors == "copied")
        for (code, expected) in [(0, 0), (7, 7), (10, 42), (31, 63), (32, 32), (200, 200)] as [(Int, Int32)] {
            #expect(try run(["run", "--", program, "exit", "\(code)"]).exitCode == expected)
        }
    }

    @Test("run says how a program was ended, by its exit code, in words and in JSON", .enabled(if: isStrict))
    func endings() throws {
        let (scratch, program) = try compile()
        let cases: [([String], String, Int32, String, String)] = [
            ([], "listen", 11, "policyViolation", "listen"), ([], "abort", 10, "crashed", "SIGABRT"),
            (["--wall", "100"], "spin", 12, "killedByHost", "--wall"),
            (["--cpu", "1"], "spin", 13, "killedByOS", "--cpu"),
            (["--max-output", "1K"], "flood", 12, "killedByHost", "--max-output"),
        ]
        for (options, deed, code, kind, word) in cases {
            let report = scratch.path("report.json")
            let outcome = try run(["run"] + options + ["--json", report, "--", program, deed])
            #expect(outcome.exitCode == code && outcome.errors.contains(word), "\(deed): \(outcome.errors)")
            let answer = try json(String(contentsOfFile: report, encoding: .utf8))
            #expect(answer["termination"]["kind"].string == kind)
            #expect(answer["layers"].array.contains { $0.string == "seccomp" })
            if deed == "flood" { #expect(outcome.output.utf8.count == 1_024) }
        }
    }

    @Test("--wall holds while nobody takes the output", .enabled(if: isStrict))
    func wallBehindSlowReader() throws {
        let (scratch, program) = try compile()
        let mark = UUID().uuidString
        let (report, code) = (scratch.path("report.json"), scratch.path("code"))
        let run = [Self.program.path, "run", "--wall", "300", "--json", report, "--", program, "flood", mark]
        // Reads one byte, so that the program runs, and nothing more until it is gone. It is known by its arguments,
        // which begin with its name; this shell's own have them otherwise.
        let outcome = try Program.shell(
            """
            { { timeout 600 \(run.map(Program.quoted).joined(separator: " ")); echo $? >\(Program.quoted(code)); } | {
                dd bs=1 count=1 2>/dev/null
                while cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -q ' progra[m] flood \(mark)'; do sleep 0.05; done
                wc -c
            }; }
            """)
        #expect(try String(contentsOfFile: code, encoding: .utf8) == "12\n", "\(outcome.errors)")
        let answer = try json(String(contentsOfFile: report, encoding: .utf8))
        #expect(answer["termination"]["kind"].string == "killedByHost")
        #expect(answer["termination"]["reason"].string == "deadline")
        #expect(outcome.errors.contains("--wall") && outcome.output.hasPrefix("m"), "\(outcome.errors)")
    }

    @Test("output that is cut or lost is never a success, also of a program that was done", .enabled(if: isStrict))
    func lostOutput() throws {
        let (scratch, program) = try compile()
        try Data("text".utf8).write(to: URL(filePath: scratch.path("in")))
        let copy = ["run", "--stdin", scratch.path("in"), "--json", scratch.path("report")]
        let forcefield = Program.quoted(Self.program.path)
        for _ in 0..<20 {
            let cut = try run(copy + ["--max-output", "2", "--", program, "copy"])
            // Which of its two outputs comes first is not said.
            #expect(cut.exitCode == 12 && cut.output.count <= 2 && cut.errors.contains("--max-output"), "\(cut)")
            let report = try json(String(contentsOfFile: scratch.path("report"), encoding: .utf8))
            #expect(report["termination"]["reason"].string == "outputLimit")
            let words = (copy + ["--", program, "copy"]).map(Program.quoted).joined(separator: " ")
            let lost = try Program.shell("{ \(forcefield) \(words) >/dev/full; }")
            #expect(lost.exitCode == 17 && lost.errors.contains("No space left on device"), "\(lost)")
        }
        let call = (["call", "--in", scratch.path("in")] + Self.echo).map(Program.quoted).joined(separator: " ")
        let lost = try Program.shell("{ \(forcefield) \(call) >/dev/full; }")
        #expect(lost.exitCode == 17 && lost.errors.contains("No space left on device"), "\(lost)")
    }

    @Test("what a program writes steers no terminal, and reaches a pipe as it is", .enabled(if: isStrict))
    func steers() throws {
        let (scratch, program) = try compile()
        defer { withExtendedLifetime(scratch) {} }
        let session = try TerminalSession(Self.program, ["run", "--", program, "steer"])
        #expect(session.exitCode() == 0)
        let shown = try session.shown()
        // The character came in two pieces.
        for text in [#"\u{1b}]0;title\u{7}\u{1b}[2Jstr"#, #"öm\u{9b}2J"#, #"\u{1b}[8mhidden"#] {
            #expect(shown.contains(text), "\(shown.debugDescription)")
        }
        #expect(!shown.utf8.contains(0x1b), "\(shown.debugDescription)")
        let piped = try run(["run", "--", program, "steer"])
        #expect(piped.output == "\u{1b}]0;title\u{7}\u{1b}[2Jström\u{9b}2J\n" && piped.errors == "\u{1b}[8mhidden\n")
    }

    @Test("a reply steers no terminal either", .enabled(if: isStrict))
    func replySteers() throws {
        let scratch = try Scratch()
        try Data("\u{1b}[2Jreply\n".utf8).write(to: URL(filePath: scratch.path("in")))
        let session = try TerminalSession(Self.program, ["call"] + Self.echo + ["--in", scratch.path("in")])
        #expect(session.exitCode() == 0)
        #expect(try session.shown().contains(#"\u{1b}[2Jreply"#))
    }

    @Test("run takes ten minutes at most unless it is told otherwise")
    func wallDefault() throws {
        #expect(try run(["run", "--help"]).output.contains("(default: 600000)"))
    }

    @Test(
        "named pipes and devices are refused at once, as a program, an input, a request and a report",
        .enabled(if: isStrict))
    func pipesAndDevices() throws {
        let (scratch, program) = try compile()
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let cases: [([String], String)] = [
            (["run", "--", pipe], "regular file"), (["run", "--", "/dev/zero"], "regular file"),
            (["run", "--stdin", pipe, "--", program, "copy"], "regular file"),
            (["run", "--stdin", "/dev/zero", "--", program, "copy"], "regular file"),
            (["run", "--json", pipe, "--", program, "exit", "0"], "nobody reads"),
            (["audit", "--exec", pipe], "regular file"),
            (["call", "--worker", pipe, "--method", "echo"], "regular file"),
            (["call", "--in", "/dev/zero"] + Self.echo, "device"),
        ]
        for (arguments, words) in cases {
            let line = ([Self.program.path] + arguments).map(Program.quoted).joined(separator: " ")
            let outcome = try Program.shell("exec timeout 600 \(line)")
            #expect(outcome.exitCode == 2, "\(arguments): \(outcome.exitCode) \(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("a hard limit of descriptors that is too low is named, with what helps", .enabled(if: isStrict))
    func descriptorLimit() throws {
        let (scratch, program) = try compile()
        defer { withExtendedLifetime(scratch) {} }
        let outcome = try Program.shell(
            "ulimit -n 200; exec \(Program.quoted(Self.program.path)) run -- \(Program.quoted(program)) exit 0")
        #expect(outcome.exitCode == 15)
        #expect(outcome.errors.contains("below 251") && outcome.errors.contains("ulimit -Hn 1024"), "\(outcome.errors)")
    }

    @Test("without /proc nothing is run, and a code and a reason say so", .enabled(if: geteuid() == 0))
    func withoutProc() throws {
        let outcome = try Program.shell(
            "exec unshare -m sh -c 'mount -t tmpfs none /proc && exec \(Program.quoted(Self.program.path)) run -- /bin/true'"
        )
        #expect(outcome.exitCode == 15 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("Mount /proc"))
    }

    @Test("a dynamic program is never started, and the next step is said", .enabled(if: isStrict))
    func dynamicProgram() throws {
        let (scratch, program) = try compile("")
        defer { withExtendedLifetime(scratch) {} }
        let outcome = try run(["run", "--", program])
        #expect(outcome.exitCode == 15 && outcome.errors.contains("-static"))
    }

    @Test("a foreign program's attempts are audited by what it says", .enabled(if: isStrict))
    func foreignAudit() throws {
        let (scratch, program) = try compile()
        defer { withExtendedLifetime(scratch) {} }
        let outcome = try run(["audit", "--exec", program])
        #expect(outcome.exitCode == 1 && outcome.output.contains("NOT AS EXPECTED"))
        #expect(outcome.output.contains("blocked (EACCES)") && outcome.output.contains("ALLOWED"))
    }

    // MARK: call and trace

    @Test("call gives the reply's bytes, as often as it is asked", .enabled(if: isStrict))
    func calls() throws {
        let scratch = try Scratch()
        let request = scratch.path("request")
        try Data("bytes".utf8).write(to: URL(filePath: request))
        let outcome = try run(
            ["call"] + Self.echo + ["--in", request, "--repeat", "3", "--json", scratch.path("report")])
        #expect(outcome.exitCode == 0 && outcome.output == "bytesbytesbytes", "\(outcome.errors)")
        let report = try json(String(contentsOfFile: scratch.path("report"), encoding: .utf8))
        #expect(report["termination"]["kind"].string == "clean")
        #expect(report["requests"].int == 3 && report["lastMethod"].string == "echo")
    }

    @Test("call shows a reply in FFV1 as JSON, and refuses one that is not", .enabled(if: isStrict))
    func decodes() throws {
        let scratch = try Scratch()
        let (value, noise) = (scratch.path("value"), scratch.path("noise"))
        try Data([0x09, 1, 0, 0, 0, 0x02]).write(to: URL(filePath: value))
        try Data([0xff]).write(to: URL(filePath: noise))
        let outcome = try run(["call"] + Self.echo + ["--decode", "--in", value])
        #expect(outcome.exitCode == 0 && outcome.output == "[true]\n")
        let refused = try run(["call"] + Self.echo + ["--decode", "--in", noise])
        #expect(refused.exitCode == 14 && refused.errors.contains("FFV1"))
        let bytes = try run(["call"] + Self.echo + ["--encode", "--decode", "--in", noise])
        #expect(bytes.output == #"{"$bytes":"ff"}"# + "\n")
    }

    @Test("a worker with other methods, an unknown method, and a large reply are told apart", .enabled(if: isStrict))
    func refusals() throws {
        let scratch = try Scratch()
        let request = scratch.path("request")
        try Data(repeating: 0, count: 100_000).write(to: URL(filePath: request))
        let worker = Array(Self.echo.dropLast(2))
        let other = try run(["call"] + worker + ["--method", "other"])
        #expect(other.exitCode == 15 && other.errors.contains("--any-interface"))
        #expect(try run(["call"] + worker + ["--method", "other", "--any-interface"]).exitCode == 16)
        let large = try run(["call"] + Self.echo + ["--in", request, "--max-reply", "64K"])
        #expect(large.exitCode == 14, "\(large.errors)")
    }

    @Test("trace tells which forbidden calls a program makes, and what to do about each", .enabled(if: isStrict))
    func traces() throws {
        let (scratch, program) = try compile()
        defer { withExtendedLifetime(scratch) {} }
        let outcome = try run(["trace", "--exec", program, "--arg", "listen"])
        #expect(outcome.exitCode == 11)
        #expect(outcome.output.contains("listen(0x0, 0x1") && outcome.output.contains("network"))
        let answer = try json(try run(["trace", "--exec", program, "--arg", "listen", "--json"]).output)
        #expect(answer["calls"][0]["call"].string == "listen" && answer["calls"][0]["count"].int == 1)
        #expect(try run(["trace"] + Self.echo).exitCode == 0)
    }

    // MARK: Wrong input

    @Test("a program that would not lock itself in is refused as a worker, before it runs")
    func unlinked() throws {
        let scratch = try Scratch()
        func outcome(endingWith words: String) throws -> Program.Outcome {
            let path = scratch.path("worker")
            try Data("#!/bin/sh\ntouch \(scratch.path("ran"))\n# \(words)".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return try run(["call", "--worker", path, "--method", "echo"])
        }
        // The words of stage 0, by which a worker is told to lock itself in, in part.
        for words in ["", "FORCEFIELD_STAG", "ORCEFIELD_STAGE", "FORCEFIELD_FORCEFIELD_STAG"] {
            let outcome = try outcome(endingWith: words)
            #expect(outcome.exitCode == 2 && outcome.errors.contains("does not link ForceField"), "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("ran")))
        #expect(try !outcome(endingWith: "FORCEFIELD_FORCEFIELD_STAGE").errors.contains("does not link"))
    }

    @Test("wrong usage exits with 2 and says the next step")
    func wrongUsage() throws {
        let cases: [([String], String)] = [
            (["run"], "run -- ./program"),
            (["run", "--memory", "1", "--", "/bin/sh"], "16 MiB"),
            (["run", "--allow-missing", "seccomp", "--", "/bin/sh"], "landlock"),
            (["run", "--cap", "everything", "--", "/bin/sh"], "entropyDevice"),
            (["run", "--cap", "readOnlyFile=a:b", "--", Self.program.path], "a value that cannot be"),
            (["call", "--method", "a"], "--worker"),
            (["call"] + Self.echo.dropLast() + ["two words"], "visible ASCII"),
            (["audit", "--profile", "other"], "compute"), (["bogus"], "Usage"),
            (["bench", "--peer", "bogus"], "bogus"),
        ]
        for (arguments, word) in cases {
            let outcome = try run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("a file that cannot be used is wrong usage and named")
    func unusableFiles() throws {
        let missing = "/no/such/file"
        let cases: [([String], String)] = [
            (["run", "--", missing], "Check the path"), (["run", "--", "/"], "Check the path"),
            (["run", "--json", missing + "/report", "--", missing], "report cannot be written"),
            (["call", "--json", "/"] + Self.echo, "/ cannot be written"),
            (["run", "--stdin", missing, "--", "/bin/sh"], "Check the path"),
            (["run", "--cap", "readOnlyFile=\(missing):/a", "--", Self.program.path], "Check the file"),
            (["call", "--worker", "/bin/sh", "--method", "a"], "--exec"),
            (["call"] + Self.echo + ["--in", missing], missing),
            (["trace", "--exec", missing], missing), (["audit", "--exec", missing], "Check the path"),
        ]
        for (arguments, word) in cases {
            let outcome = try run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("help teaches the first steps and the exit codes")
    func help() throws {
        let outcome = try run(["--help"])
        #expect(outcome.exitCode == 0)
        for word in ["First steps", "doctor", "EXIT CODES", "forbidden call"] { #expect(outcome.output.contains(word)) }
    }
}
