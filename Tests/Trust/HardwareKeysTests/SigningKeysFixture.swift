import SecretMemory

@testable import HardwareKeys

/// A folder of signing keys that goes with the test, and what was logged about them.
struct SigningKeysFixture {
    let folder = Scratch()
    let log = Lines()
    var path: String { folder.path("keys") }

    func keys(_ hardware: (any SigningHardware)?, requireHardware: Bool = false) throws -> HardwareSigningKeys {
        HardwareSigningKeys(
            in: try StateDirectory(path: path), hardware: hardware,
            policy: KeyPolicy(requireHardware: requireHardware), logger: log.logger,
            machine: { SoftwareKeyFileTests.machine })
    }
}
