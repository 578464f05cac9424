import AppAttest
import Crypto
import KnownAnswers
import TextForms

/// The fingerprints of Apple's certificates, and that the two roots are those that are compiled in.
enum RootAnswers {
    private static let compiledIn = [
        "apple-app-attestation-root-ca.pem": TrustAnchors.apple.attestationRoot,
        "apple-root-ca-g3.pem": TrustAnchors.apple.receiptRoot,
    ]

    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        for line in try file.text().split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2 else { throw RowError.missing("fingerprint and name") }
            let der = try TrustAnchors(pem: file.beside(words[1]).text()).attestationRoot
            var row = Row(.null)
            row.expect("fingerprint", Hex.encode(Array(SHA256.hash(data: der))), equals: words[0])
            if let root = compiledIn[words[1]] { row.expect("compiled in", root, equals: der) }
            report.close(row, "\(file.path) \(words[1])")
        }
    }
}
