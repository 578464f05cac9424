import Foundation
import TestSupport
import Testing
import TextForms
@_spi(FixedExpiryValidationTime) import X509

@testable import AppAttest

/// Chains of genuine attestations, which are judged by the verifier of swift-certificates too.
@Suite("Genuine chains", .enabled(if: SharedData.has("appattest-gate/vectors")))
struct GenuineChainTests {
    private static let rows = (try? SharedData.json("appattest-gate/vectors/attestations.json").array) ?? []

    private func chain(_ row: JSON) throws -> [ArraySlice<UInt8>] {
        try AttestationObject(try #require(Base64.decode(row["attestation_b64"].string ?? ""))).certificates
    }

    /// What swift-certificates says of a chain.
    private func isValid(_ chain: [ArraySlice<UInt8>], at seconds: Int) async throws -> Bool {
        let certificates = try chain.map { try Certificate(derEncoded: $0) }
        let root = try Certificate(derEncoded: TrustAnchors.apple.attestationRoot)
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy(fixedExpiryValidationTime: Date(timeIntervalSince1970: Double(seconds)))
        }
        let result = await verifier.validate(
            leaf: certificates[0], intermediates: CertificateStore(certificates.dropFirst()))
        if case .validCertificate = result { return true }
        return false
    }

    /// What the rule of the specification says of it.
    private func isTrusted(_ chain: [ArraySlice<UInt8>], at seconds: Int) throws -> Bool {
        let root = try TrustAnchors.apple.trustedAttestationRoot()
        let path = try chain.map { try ChainCertificate(der: $0) }
        return (try? root.check(path, at: UTCTimestamp(seconds: seconds), remembering: .issuers)) != nil
    }

    @Test(
        "both verifiers agree in and out of time, and on signatures that are not the issuer's", arguments: rows.indices)
    func agree(index: Int) async throws {
        let chain = try chain(Self.rows[index])
        let validity = try #require(try ChainCertificate(der: chain[0]).validity)
        for seconds in [validity.lowerBound, validity.upperBound] {
            #expect(try isTrusted(chain, at: seconds))
            #expect(try await isValid(chain, at: seconds))
        }
        for seconds in [validity.lowerBound - 1, validity.upperBound + 1] {
            #expect(try !isTrusted(chain, at: seconds))
            #expect(try await !isValid(chain, at: seconds))
        }
        var broken = Array(chain[0])
        broken[broken.count - 1] ^= 1
        #expect(try !isTrusted([broken[...], chain[1]], at: validity.lowerBound))
        #expect(try await !isValid([broken[...], chain[1]], at: validity.lowerBound))
    }
}
