#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// Scans that something ends before they are done.
    @Suite(
        "Scans in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct ScanWindowTests {
        private static let payload = WestendPayload.transaction(WestendPayload.remark("after all"))

        /// A window of a program of tests, whose camera shows nothing until SIGUSR1 unplugs it; opened again, it shows
        /// a transaction.
        private func window(of vault: WindowVault) throws -> DrivenWindow {
            try DrivenWindow(
                ChildProgram.built("AdwaitaTestHost"),
                ["signer", vault.folder, vault.scratch.path("clock"), Self.payload], on: Desktop(), hasNetwork: false)
        }

        @Test("what ends a scan or begins it anew is there only while it goes on")
        func controls() async throws {
            let vault = try await WindowVault()
            let window = try window(of: vault)
            try window.page("SeedSelector/-")
            try window.press("Scan", to: "Scan/-")
            try window.sees("Open pictures")
            func hasControls() throws -> Bool { try !Set(window.words()).isDisjoint(with: ["Begin anew", "Give up"]) }
            #expect(try !hasControls())
            try window.press("Camera")
            try window.sees("Begin anew")
            try window.press("Begin anew")
            try window.click("Give up", role: "button")
            try window.seesNoMore("Give up")
            #expect(try !hasControls())
            // The keys are not with what is gone, but with what begins a scan; the second one finds a code.
            try window.keys("Return")
            try window.page("Transaction/-")
            window.end()
            try await vault.casemate(["log", "verify"])
        }

        @Test("a camera that is unplugged while it scans says what to do, and plugged in again it scans")
        func unplugged() async throws {
            let vault = try await WindowVault()
            let window = try window(of: vault)
            try window.page("SeedSelector/-")
            try window.press("Scan", to: "Scan/-")
            try window.press("Camera")
            try window.sees("No code yet")
            #expect(kill(window.id, SIGUSR1) == 0)
            try window.sees(
                "The camera /dev/video0 gives no pictures: it was unplugged. Plug it in, and start again.")
            try window.seesNoMore("Give up")
            #expect(try window.position() == "Scan/-")
            try window.press("Camera", to: "Transaction/-")
            try window.sees("\"after all\"")
            window.end()
            #expect(try await vault.count(of: "TransactionSigned") == 0)
            try await vault.casemate(["log", "verify"])
        }

        @Test("a picture reader that is killed while it reads ends the scan with what to do, and the next one reads")
        func killedReader() async throws {
            let vault = try await WindowVault()
            let remark = WestendPayload.transaction(WestendPayload.remark(String(repeating: "long ", count: 12_000)))
            let film = try await vault.film(of: remark)
            let bytes = try Data(contentsOf: URL(filePath: film))
            // A film that cannot be read to its end, however fast its readers are: half of it comes, and then a byte
            // for each reader that was killed.
            let pipe = vault.scratch.path("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let writer = try #require(FileHandle(forUpdatingAtPath: pipe))
            let window = try vault.window(films: [pipe, film])
            try window.page("SeedSelector/-")
            try window.press("Scan", to: "Scan/-")
            try window.press("Camera")
            try writer.write(contentsOf: bytes.prefix(bytes.count / 2))
            var rest = bytes.dropFirst(bytes.count / 2)
            let said = try DrivenWindow.wait("the scan has ended") { () -> String? in
                for reader in Processes.below(window.id) where Processes.isReader(reader) {
                    if kill(reader, SIGKILL) == 0 { try writer.write(contentsOf: [rest.removeFirst()]) }
                }
                return try window.words().first { $0.contains("Start the scan again.") }
            }
            #expect(rest.count < bytes.count - bytes.count / 2)
            #expect(said.contains("The picture reader") && said.contains("ended") && said.contains(pipe), "\(said)")
            #expect(try window.position() == "Scan/-")
            try window.press("Camera", to: "Transaction/-")
            window.end()
            try await vault.casemate(["log", "verify"])
        }
    }

    /// The processes of this machine.
    private enum Processes {
        /// All that a process has started, and what those have.
        static func below(_ process: Int32) -> [Int32] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = tasks.flatMap { task in
                ((try? KernelFile.text("/proc/\(process)/task/\(task)/children")) ?? "").split(separator: " ")
                    .compactMap { Int32($0) }
            }
            return children + children.flatMap(below)
        }

        /// Whether a process runs the program that reads pictures and is locked in, so that it has begun.
        static func isReader(_ process: Int32) -> Bool {
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) ?? ""
            let status = (try? KernelFile.text("/proc/\(process)/status")) ?? ""
            return program.contains("casemate-worker") && status.contains("Seccomp:\t2")
        }
    }
#endif
