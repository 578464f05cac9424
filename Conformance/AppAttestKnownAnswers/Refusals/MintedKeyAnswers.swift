import AppAttest
import Crypto
import KnownAnswers

/// The keys of the test authority: each belongs to the certificate of its name beside it, and that of the device is the
/// one that the answers are made with.
enum MintedKeyAnswers {
    private static let ending = "-key.pem"

    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        // Certificates are named by keys, and by fingerprints.
        guard file.name.hasSuffix(ending) else { return }
        let (point, info) = try publicKey(file.text())
        let certificate = file.beside("\(file.name.dropLast(ending.count)).pem")
        if certificate.exists {
            let der = try TrustAnchors(pem: certificate.text()).attestationRoot
            report.expect("\(file.path), the key of \(certificate.name)", der.contains(info), equals: true)
        } else {
            let known = try file.beside("README.json").content()["credential_public_key_x963_hex"].hex
            report.expect("\(file.path), the key of the device", point, equals: known)
        }
    }

    /// - Returns: the point, and the form that certificates have of it.
    private static func publicKey(_ pem: String) throws -> (point: [UInt8], info: [UInt8]) {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem).publicKey {
            return (Array(key.x963Representation), Array(key.derRepresentation))
        }
        let key = try P384.Signing.PrivateKey(pemRepresentation: pem).publicKey
        return (Array(key.x963Representation), Array(key.derRepresentation))
    }
}
