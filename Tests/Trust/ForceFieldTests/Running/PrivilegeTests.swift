import Foundation
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods

extension RunningTests {
    @Suite("What warden and worker may do")
    struct PrivilegeTests {
        /// Lines of `/proc/PID/status`, by their names.
        private func status(_ process: Int32) throws -> [Substring: String] {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return Dictionary(
                text.split(separator: "\n").compactMap { line in
                    line.firstIndex(of: ":").map { colon in
                        (line[..<colon], line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
                    }
                }, uniquingKeysWith: { first, _ in first })
        }

        @Test("neither has a capability nor can get one by an exec, and both are filtered")
        func capabilities() async throws {
            let test = try TestField()
            _ = try await test.act(.echo)
            let warden = try #require(test.field.summary.wardenIDs.first)
            let children = try String(
                contentsOfFile: "/proc/\(warden)/task/\(warden)/children", encoding: .utf8)
            let worker = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
            for process in [warden, worker] {
                let status = try status(process)
                for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
                    #expect(
                        status[set[...]] == "0000000000000000", "\(set) of \(process == warden ? "warden" : "worker")")
                }
                #expect(status["NoNewPrivs"] == "1")
                #expect(status["Seccomp"] == "2")
            }
            await test.field.terminate()
        }
    }
}
