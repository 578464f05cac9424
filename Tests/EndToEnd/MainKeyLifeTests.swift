import Foundation
import TestSupport
import Testing

@Suite("mainkey's promises, tried by itself", .serialized)
struct MainKeyLifeTests {
    @Test("the life of a vault on a TPM, as the example tells it", .enabled(if: SoftwareTPM.isInstalled))
    func life() throws {
        let script = packageRoot.appending(path: "Examples/vault-life.sh").path
        let outcome = try Program.shell(
            "COST=2:19456 MAINKEY=\(Program.quoted(MainKeyVault.mainkey.path)) bash \(Program.quoted(script))")
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
        for line in [
            "[wrongCredential]", "The hardware takes no more attempts, for ever", "The PIN is changed.", "[rolledBack]",
            "[hardwareDead]", "That was the life of a vault.",
        ] {
            #expect(outcome.output.contains(line), "\(line)")
        }
    }

    @Test(
        "a vault on a TPM without a PIN asks nothing and opens on no other TPM", .enabled(if: SoftwareTPM.isInstalled))
    func withoutPIN() throws {
        let tpm = try SoftwareTPM()
        let vault = try MainKeyVault(["--tpm"], tcti: tpm.tcti)
        #expect(try vault.run(["verify"]).exitCode == 0)
        #expect(try vault.status()["anchor"].string == "tpm")
        let other = try SoftwareTPM()
        #expect(try MainKeyVault.mainkey.run(["verify", "--dir", vault.folder, "--tcti", other.tcti]).exitCode == 50)
        #expect(try vault.run(["protect", "--pin"] + MainKeyVault.cost, MainKeyVault.pin).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        let doctor = try vault.run(["doctor", "--json"]).json()["findings"].array
        #expect(doctor.contains { $0["subject"].string == "TPM authorisations" && $0["grade"].string == "weak" })
    }

    @Test("the TPM as the only way in has to be meant", .enabled(if: SoftwareTPM.isInstalled))
    func onlyHardware() throws {
        let tpm = try SoftwareTPM()
        let scratch = try Scratch()
        let arguments = ["init", "--tpm", "--software-tpm", "--tcti", tpm.tcti, "--dir", scratch.path("v")]
        let refused = try MainKeyVault.mainkey.run(arguments)
        #expect(refused.exitCode == 44 && refused.errors.contains("--allow-no-recovery"), "\(refused.errors)")
        #expect(try MainKeyVault.mainkey.run(arguments + ["--allow-no-recovery"]).exitCode == 0)
    }

    @Test("no key stays in memory after locking, and none is on the disk, raw or as text")
    func memory() throws {
        let outcome = try MainKeyVault.mainkey.run(["selftest", "memory", "--json"])
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        let json = try outcome.json()
        #expect(json["foundLocked"].int == 0 && json["foundUnlocked"].int.map { $0 > 0 } == true)
        #expect(json["looked"].array.count >= 8 && json["filesSearched"].int.map { $0 >= 5 } == true)
    }

    @Test("the program passes all known answers", .enabled(if: SharedData.has("mainkey")))
    func vectors() throws {
        let outcome = try MainKeyVault.mainkey.run(
            ["selftest", "vectors", SharedData.url("mainkey").path, "--json"])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
        #expect(try outcome.json()["passed"].int.map { $0 > 500 } == true)
    }

    @Test("a question that is not answered with yes does nothing")
    func declined() throws {
        let vault = try MainKeyVault()
        let outcome = try MainKeyVault.mainkey.runInTerminal(["wipe", "--dir", vault.folder], keys: "no\n")
        #expect(outcome.exitCode == 1 && outcome.output.contains("Type yes"))
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }
}
