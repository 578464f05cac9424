import Crypto
import HardwareKeys
import Logging
import SecretMemory
import Vigil

/// The key that releases are signed with. It goes from the file into secret memory; of what the cryptographic library
/// copies, nothing stays when it is freed (CZeroingHeap).
struct ReleaseKey: SigningKey {
    let kind = KeyKind.software
    private let key: P256.Signing.PrivateKey

    private static let tpmPrefix = "vgtk:"
    private static let sizeLimit = 4096

    /// - Parameters:
    ///   - name: a PEM file, or `vgtk:` and the tag of a key in the TPM.
    ///   - directory: where such keys are kept.
    static func open(_ name: String, directory: String) throws -> any SigningKey {
        guard name.hasPrefix(tpmPrefix) else { return try ReleaseKey(pem: name) }
        let keys = HardwareSigningKeys(
            in: try StateDirectory(path: directory), hardware: HardwareSigningKeys.standardHardware(tpm: .standard),
            policy: KeyPolicy(requireHardware: true), logger: Logger(label: "vigil-hash-tool"))
        return try keys.load(tag: String(name.dropFirst(tpmPrefix.count)))
    }

    private init(pem path: String) throws {
        guard let der = try PEMBlock.last(in: KeyFile.read(path, limit: Self.sizeLimit)),
            let key = der.withUnsafeBytes({ try? P256.Signing.PrivateKey(derRepresentation: $0) })
        else { throw Failure.noKey(path: path, expected: "a P-256 private key in PEM, not encrypted") }
        self.key = key
    }

    var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    func sign(digest: SHA256.Digest) throws(HardwareKeyError) -> [UInt8] {
        do { return Array(try key.signature(for: digest).rawRepresentation) } catch {
            throw .invalidArgument("the cryptographic library could not sign: \(error)")
        }
    }
}
