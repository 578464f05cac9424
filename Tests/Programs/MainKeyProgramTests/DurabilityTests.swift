#if os(Linux)
    import Foundation
    import HardwareKeys
    import MainKey
    import SecretMemory
    import TestSupport
    import Testing

    /// What the disk is asked to keep, and when, by the system calls of the program.
    @Suite(
        "What a loss of power leaves of a vault",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    struct DurabilityTests {
        /// Stores a token in a new vault.
        ///
        /// - Returns: the system calls, one a line, with the paths of descriptors.
        private func callsOfStoring(_ tpm: SoftwareTPM?) throws -> [String] {
            let folder = try TemporaryFolder()
            var opening = OpenOptions()
            opening.knownVaults = KnownVaults(at: folder.path("known"))
            opening.watching = .none
            var options = VaultOptions()
            options.allowsNoRecovery = true
            if let tpm {
                opening.tpm = try TPMAddress(tcti: tpm.tcti)
                opening.allowsSoftwareTPM = true
                options.hasStrictAnchor = true
            }
            let way: Protection = tpm == nil ? .none : .hardware(HardwareBinding(.counter))
            _ = try MainKeyVault.create(at: folder.path("vault"), [way], options, opening: opening)
            let token = try folder.write("text\n", to: "token")
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/strace")
            process.arguments =
                [
                    "-f", "-qq", "-y", "-x", "-s", "16", "-o", folder.path("calls"), "-e",
                    "trace=fsync,renameat,renameat2,openat,write,writev,sendto,sendmsg",
                    Bundle.main.bundleURL.appending(path: "mainkey").path, "token", "set", "name", "--token-fd", "0",
                    "--dir", folder.path("vault"), "--known-vaults", folder.path("known"),
                ] + (tpm.map { ["--tcti", $0.tcti, "--software-tpm"] } ?? [])
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: token))
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            let calls = try String(contentsOfFile: folder.path("calls"), encoding: .utf8)
            return calls.split(separator: "\n").map(String.init)
        }

        private func number(
            of words: [String], in calls: [String], from start: Int = 0
        ) throws -> Int {
            try #require(
                calls.indices.first { index in index >= start && words.allSatisfy { calls[index].contains($0) } },
                "\(words) in \(calls.joined(separator: "\n"))")
        }

        @Test("an item has its name for certain before the key file that names it takes its place")
        func item() throws {
            let calls = try callsOfStoring(nil)
            let made = try number(of: ["openat(", ".item.new\"", "O_CREAT"], in: calls)
            let settled = try number(of: ["fsync(", "/vault/items>"], in: calls, from: made)
            let final = try number(of: ["renameat", "\"keyring.mk.new\"", "\"keyring.mk\""], in: calls)
            #expect(made < settled && settled < final)
        }

        @Test(
            "the key file has its name for certain before the counter moves that it is bound to",
            .enabled(if: SoftwareTPM.isInstalled))
        func counter() throws {
            let simulator = try SoftwareTPM()
            defer { withExtendedLifetime(simulator) {} }
            let calls = try callsOfStoring(simulator)
            let made = try number(of: ["openat(", "\"keyring.mk.new\"", "O_CREAT"], in: calls)
            let settled = try number(of: ["fsync(", "/vault>"], in: calls, from: made)
            // NV_Increment, behind its tag and size.
            let moved = try number(of: ["\"\\x80\\x02\\x00\\x00", "\\x00\\x00\\x01\\x34"], in: calls, from: made)
            #expect(settled < moved)
        }
    }
#endif
