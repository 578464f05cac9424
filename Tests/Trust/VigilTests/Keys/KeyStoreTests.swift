import Foundation
import HardwareKeys
import Logging
import TestSupport
import Testing

@testable import Vigil

@Suite("Keys under the names of the first design")
struct KeyStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ hardware: (any SigningHardware)? = nil) throws -> KeyStore {
        KeyStore(
            HardwareSigningKeys(
                in: try StateDirectory(path: folder.path("keys")), hardware: hardware,
                policy: KeyPolicy(requireHardware: false),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test("a key pair is made once, signs, and is gone when it is deleted")
    func lifeCycle() throws {
        let keys = try store()
        let publicKey = try keys.generateKeyPair(tag: KeyStore.appTag)
        #expect(throws: HardwareKeyError.keyExists(tag: "com.vigil.app")) {
            try keys.generateKeyPair(tag: KeyStore.appTag)
        }
        #expect(try keys.publicKey(tag: KeyStore.appTag) == publicKey)
        let signature = try keys.sign([1, 2, 3] as [UInt8], tag: KeyStore.appTag)
        #expect(keys.verify(signature, of: [1, 2, 3] as [UInt8], by: publicKey))
        #expect(!keys.verify(signature, of: [1, 2] as [UInt8], by: publicKey))
        try keys.deleteKeyPair(tag: KeyStore.appTag)
        #expect(throws: HardwareKeyError.keyNotFound(tag: "com.vigil.app")) { try keys.publicKey(tag: KeyStore.appTag) }
        #expect(!keys.isSecureEnclaveAvailable)
    }

    @Test("a TPM counts as hardware, and one that is not there does not", .enabled(if: SoftwareTPM.isInstalled))
    func hardware() throws {
        let simulator = try SoftwareTPM()
        let address = try TPMAddress(tcti: simulator.tcti)
        #expect(try store(HardwareSigningKeys.standardHardware(tpm: address)).isSecureEnclaveAvailable)
        simulator.stop()
        #expect(try !store(HardwareSigningKeys.standardHardware(tpm: address)).isSecureEnclaveAvailable)
    }
}
