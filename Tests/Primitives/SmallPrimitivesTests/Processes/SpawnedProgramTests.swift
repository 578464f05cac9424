import Foundation
import Processes
import TestSupport
import Testing

@Suite("Programs that are started")
struct SpawnedProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a shell wrote as errors, and how it ended.
    private func errors(of script: String, variables: [String: String]? = nil) throws -> (text: String, status: Int32) {
        let path = folder.path("errors")
        let program = try SpawnedProgram("/bin/sh", ["-c", script], outputs: .errors(to: path), variables: variables)
        let status = program.wait()
        return (try String(contentsOfFile: path, encoding: .utf8), status)
    }

    @Test("it gets its arguments and variables, and is waited for")
    func arguments() throws {
        let found = try errors(of: "echo \"$A b\" >&2; exit 3", variables: ["A": "it's $A"])
        #expect(found.text == "it's $A b\n")
        #expect(found.status == 3 << 8)
        #expect(try errors(of: "echo $HOME >&2").text == (ProcessInfo.processInfo.environment["HOME"] ?? "") + "\n")
    }

    @Test("it has nothing to read, no descriptor of this process, and blocks no signal")
    func nothingElse() throws {
        let pipe = Pipe()
        let found = try errors(
            of:
                "cat; for n in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && echo open >&2; done; exec grep SigBlk /proc/self/status >&2"
        )
        withExtendedLifetime(pipe) {}
        #expect(found.text == "SigBlk:\t0000000000000000\n")
    }

    @Test("it runs until it ends, and that is told once")
    func ended() throws {
        let program = try SpawnedProgram("/bin/sleep", ["600"], outputs: .nowhere)
        #expect(program.ended() == nil)
        kill(program.id, SIGKILL)
        #expect(program.wait() == SIGKILL)
        #expect(program.ended() == nil)
        #expect(program.wait() == -1, "and is no success the second time")
    }

    @Test("a program that is not there is an error with its path and the reason")
    func missing() throws {
        let error = try #require(throws: SpawnedProgram.Failure.self) {
            _ = try SpawnedProgram(folder.path("nothing"), [])
        }
        #expect("\(error)" == "\(folder.path("nothing")): No such file or directory")
    }
}
