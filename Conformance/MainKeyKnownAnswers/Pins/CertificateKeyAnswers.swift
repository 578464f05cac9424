import Crypto
import KnownAnswers

/// Keys that lie beside certificates: each is that of the certificate of its name.
enum CertificateKeyAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: file.text()).publicKey
        let certificate = try file.beside(file.name.replacing(".key.pem", with: ".der")).bytes()
        report.expect(file.name("is in the certificate"), certificate.contains(key.derRepresentation), equals: true)
    }
}
