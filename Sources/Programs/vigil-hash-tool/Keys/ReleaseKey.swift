import Cryptography
import HardwareKeys
import Logging
import SecretMemory
import Vigil

/// The key that releases are signed with. It goes from the file into secret memory; of what the cryptographic library
/// copies, nothing stays when it is freed (CZeroingHeap).
enum ReleaseKey {
    private static let tpmPrefix = "vgtk:"
    private static let sizeLimit = 4096

    /// - Parameters:
    ///   - name: a PEM file, or `vgtk:` and the tag of a key in the TPM.
    ///   - directory: where such keys are kept.
    static func open(_ name: String, directory: String) throws -> any SigningKey {
        guard name.hasPrefix(tpmPrefix) else { return try key(inPEM: name) }
        let keys = HardwareSigningKeys(
            in: try StateDirectory(path: directory), hardware: HardwareSigningKeys.standardHardware(tpm: .standard),
            policy: KeyPolicy(requireHardware: true), logger: Logger(label: "vigil-hash-tool"))
        return try keys.load(tag: String(name.dropFirst(tpmPrefix.count)))
    }

    private static func key(inPEM path: String) throws -> SoftwareSigningKey {
        guard let der = try PEMBlock.last(in: KeyFile.read(path, limit: sizeLimit)),
            let scalar = try P256PrivateKey(der: der)?.scalar, let key = SoftwareSigningKey(scalar: scalar)
        else { throw Failure.noKey(path: path, expected: "a P-256 private key in PEM, not encrypted") }
        return key
    }
}
