#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    @Suite(
        "The one installed program",
        .enabled(
            if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
            "only root makes a program set-group-ID, and starts it as others"))
    struct InstalledProgramTests {
        private static let group: UInt32 = 12_345
        private let folder: TemporaryFolder
        private let program: InstalledProgram

        init() throws {
            folder = try TemporaryFolder()
            program = InstalledProgram(path: folder.path("sleep"), group: Self.group)
            try #require(chmod(folder.path(""), 0o711) == 0)
            try ExecutableCopy.make(of: "/bin/sleep", at: program.path)
            try #require(chown(program.path, 0, Self.group) == 0 && chmod(program.path, 0o2755) == 0)
        }

        /// Runs it as somebody of a group, and judges the process.
        private func refusal(startedIn group: UInt32) throws -> MeasurementRefusal? {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments = ["--reuid=12399", "--regid=\(group)", "--clear-groups", program.path, "3600"]
            try process.run()
            defer { kill(process.processIdentifier, SIGKILL) }
            let exe = "/proc/\(process.processIdentifier)/exe"
            for _ in 0..<6_000 where SymbolicLink.destination(of: exe) != program.path { usleep(10_000) }
            do throws(MeasurementRefusal) {
                try program.check(try ObservedProcess(process.processIdentifier))
                return nil
            } catch {
                return error
            }
        }

        @Test("is admitted where the kernel has hidden it, and refused of somebody whose own group is the file's")
        func realGroup() throws {
            #expect(try refusal(startedIn: 12_346) == nil)
            let member = try #require(try refusal(startedIn: Self.group))
            #expect(member.reason == .peerIdentity)
            #expect(member.finding.text.contains("hides nothing"), "\(member.finding.text)")
        }
    }
#endif
