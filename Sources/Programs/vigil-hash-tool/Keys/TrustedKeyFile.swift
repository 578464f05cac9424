import TextForms
import Vigil

/// A public key as it is named on the command line.
enum TrustedKeyFile {
    private static let sizeLimit = 4096

    /// - Parameter name: 130 hexadecimal digits, or a PEM file.
    static func read(_ name: String) throws(Failure) -> PublicKey {
        if let bytes = Hex.decode(name), let key = PublicKey(x963: bytes) { return key }
        let text = String(decoding: try CommandFile.read(name, limit: sizeLimit), as: UTF8.self)
        guard let key = PublicKey(pem: text) else { throw .noKey(path: name, expected: "a P-256 public key in PEM") }
        return key
    }
}
