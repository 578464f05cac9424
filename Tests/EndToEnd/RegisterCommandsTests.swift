import Foundation
import HardwareKeys
import TestSupport
import Testing

@Suite(
    "A vault of the programs that is bound to a TPM's registers",
    .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools), .serialized)
struct RegisterCommandsTests {
    /// Measures what an update of the firmware would.
    private func start(_ tpm: SoftwareTPM) throws {
        _ = try TPM(at: TPMAddress(tcti: tpm.tcti))
        try tpm.run("tpm2_pcrextend", "7:sha256=" + String(repeating: "7c", count: 32))
    }

    @Test(
        "mainkey refuses a machine that was started otherwise, by name; the recovery code opens, and protect binds anew",
        arguments: [["--tpm-pin"], ["--tpm-pin", "--hard-limit"], ["--tpm"]])
    func mainkey(protection: [String]) throws {
        let tpm = try SoftwareTPM()
        try start(tpm)
        let vault = try MainKeyVault(protection + ["--pcrs", "7"], tcti: tpm.tcti)
        func opened(_ arguments: [String], input: [UInt8] = []) throws -> Program.Outcome {
            protection == ["--tpm"]
                ? try vault.run(arguments, input: input) : try vault.unlocked(arguments, input: input)
        }
        #expect(try opened(["token", "set", "t", "--token-fd", "0"], input: Array("a token".utf8)).exitCode == 0)
        #expect(try opened(["verify"]).exitCode == 0)
        let attempts = try vault.status()["attemptsLeft"].int
        try start(tpm)
        for command in [["verify"], ["token", "get", "t"], ["set-autolock", "5"]] {
            let refused = try opened(command)
            #expect(refused.exitCode == 53 && refused.output.isEmpty, "\(command)")
            #expect(refused.errors.contains("[hardwareChanged]") && refused.errors.contains("register 7"))
            #expect(refused.errors.contains("mainkey protect --recovery --tpm-pin --pcrs 7"))
        }
        let json = try opened(["verify", "--json"])
        #expect(json.exitCode == 53)
        #expect(try json.json()["error"].string == "hardwareChanged")
        #expect(try vault.status()["attemptsLeft"].int == attempts)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
        let bound = try vault.run(
            ["protect", "--recovery", "--tpm-pin", "--pcrs", "7", "--software-tpm"] + MainKeyVault.cost, vault.recovery,
            MainKeyVault.newPIN)
        #expect(bound.exitCode == 0 && bound.output.contains("register 7"), "\(bound.errors)")
        #expect(try vault.run(["verify"], MainKeyVault.newPIN).exitCode == 0)
        try start(tpm)
        #expect(try vault.run(["verify"], MainKeyVault.newPIN).exitCode == 53)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
    }

    @Test("protect binds a vault that was not bound, and a register without a measurement is refused with nothing left")
    func mainkeyProtect() throws {
        let tpm = try SoftwareTPM()
        let vault = try MainKeyVault(["--tpm-pin"], tcti: tpm.tcti)
        let indices = try TPM(at: TPMAddress(tcti: tpm.tcti)).definedIndices()
        let protect = ["protect", "--tpm-pin", "--pcrs", "7", "--software-tpm"] + MainKeyVault.cost
        let empty = try vault.run(protect, MainKeyVault.pin, MainKeyVault.newPIN)
        #expect(empty.exitCode == 44, "\(empty.errors)")
        #expect(try TPM(at: TPMAddress(tcti: tpm.tcti)).definedIndices() == indices)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        try start(tpm)
        #expect(try vault.run(protect, MainKeyVault.pin, MainKeyVault.newPIN).exitCode == 0)
        #expect(try vault.run(["verify"], MainKeyVault.newPIN).exitCode == 0)
        try start(tpm)
        #expect(try vault.run(["verify"], MainKeyVault.newPIN).exitCode == 53)
        #expect(try vault.run(["init", "--pin", "--pcrs", "7"]).exitCode == 64)
    }

    @Test("casemate refuses such a machine by name; its recovery code opens, and protect binds the vault anew")
    func casemate() throws {
        let tpm = try SoftwareTPM()
        try start(tpm)
        let scratch = try Scratch()
        func run(_ arguments: [String], pin: String, _ secrets: [Int: String] = [:]) throws -> Program.Outcome {
            try DemoVault.casemate.run(
                arguments + ["--vault", scratch.path("vault"), "--tpm", tpm.tcti, "--pin-fd", "3"],
                secrets: secrets.merging([3: pin]) { $1 }, taking: [6])
        }
        let (first, second) = ("a passphrase", "another one")
        let made = try run(
            [
                "init", "--network-allowed", "--tpm-pin", "--pcrs", "7", "--software-tpm", "--recovery-fd", "6",
            ] + DemoVault.cost, pin: first
        ).succeeded()
        #expect(made.output.contains("register 7"))
        let code = try #require(made.taken[6]?.firstMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/))
            .output.0
        #expect(
            try run(["seed", "recover", "demo", "--phrase-fd", "4"], pin: first, [4: DemoVault.phrase]).exitCode == 0)
        try start(tpm)
        let refused = try run(["seed", "list"], pin: first)
        #expect(refused.exitCode != 0 && refused.output.isEmpty)
        #expect(refused.errors.contains("register 7 of the TPM") && refused.errors.contains("No attempt was counted"))
        #expect(refused.errors.contains("casemate protect --tpm-pin --pcrs 7 --recovery-code"), "\(refused.errors)")
        #expect(try run(["seed", "list", "--recovery-code"], pin: String(code)).output.contains("demo"))
        // As the message says.
        let bound = try run(
            [
                "protect", "--tpm-pin", "--pcrs", "7", "--software-tpm", "--recovery-code", "--new-pin-fd", "4",
                "--recovery-fd", "6",
            ], pin: String(code), [4: second])
        #expect(bound.exitCode == 0, "\(bound.errors)")
        #expect(try run(["seed", "list"], pin: second).output.contains("demo"))
        try start(tpm)
        #expect(try run(["seed", "list"], pin: second).errors.contains("register 7"))
    }
}
