import Foundation
import Testing

@Suite("Libraries that a program opens when it first uses them")
struct LateLibrariesTests {
    private static let names = ["libtss2-mu.so.0", "libtss2-esys.so.0", "libtss2-tctildr.so.0", "libsystemd.so.0"]

    @Test("are not taken from where the environment of another process of the same user says")
    func environment() throws {
        let scratch = try Scratch()
        // No libraries: whoever takes one of these says so in the loader's words.
        for name in Self.names { try Data("no library".utf8).write(to: URL(filePath: scratch.path(name))) }
        let folder = URL(filePath: scratch.path(Self.names[0])).deletingLastPathComponent().path
        let outcome = try MainKeyVault.mainkey.run(
            [
                "init", "--dir", scratch.path("vault"), "--known-vaults", scratch.path("known"), "--tpm",
                "--allow-no-recovery", "--tcti", "device:/dev/none",
            ], environment: ["LD_LIBRARY_PATH": folder])
        #expect(outcome.exitCode != 0)
        // The library was opened, and found no TPM.
        #expect(outcome.errors.contains("no TPM answers at device:/dev/none"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("libtss2"), "\(outcome.errors)")
    }
}
