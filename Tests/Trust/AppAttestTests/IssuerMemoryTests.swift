import AppAttestTestKit
import TestSupport
import Testing

@testable import AppAttest

/// What a verifier remembers of issuers makes it faster and changes no verdict.
@Suite("Certificates that are remembered")
struct IssuerMemoryTests {
    private let now = AppAttestFixture.now

    @Test("time is judged each time")
    func time() throws {
        let authority = try AppAttestFixture.authority.get()
        let verifier = try AppAttestFixture.verifier()
        let minted = try AppAttestFixture.recipe().mint(by: authority)
        #expect(verifier.outcome(minted) == "ok")
        #expect(verifier.outcome(minted, at: now.addingTimeInterval(400_000)) == "certificate_expired A6")
        #expect(verifier.outcome(minted, at: now.addingTimeInterval(-400_000)) == "certificate_not_yet_valid A6")
        #expect(verifier.outcome(minted) == "ok")
    }

    @Test("an intermediate that is remembered does not make its neighbours good")
    func neighbours() throws {
        let authority = try AppAttestFixture.authority.get()
        let verifier = try AppAttestFixture.verifier()
        var recipe = AppAttestFixture.recipe()
        #expect(verifier.outcome(try recipe.mint(by: authority)) == "ok")
        // The same name by another key, then a remembered certificate as the issuer of what it did not sign.
        let impostor = try TestAuthority(at: now)
        recipe.issuer = TestAuthority.Member(
            key: impostor.intermediate.key, certificate: impostor.intermediate.certificate,
            name: authority.intermediate.name)
        #expect(verifier.outcome(try recipe.mint(by: authority)) == "untrusted_chain A6")
        recipe.certificates = { [genuine = authority.intermediate.certificate] in [$0, genuine] }
        #expect(verifier.outcome(try recipe.mint(by: authority)) == "untrusted_chain A6")
    }

    @Test("a certificate is remembered together with its issuer, and with no other")
    func issuers() throws {
        let authority = try AppAttestFixture.authority.get()
        let other = try TestAuthority(at: now)
        func read(_ certificate: [UInt8]) throws -> ChainCertificate { try ChainCertificate(der: certificate[...]) }
        let (certificate, root) = try (read(authority.intermediate.certificate), read(authority.root.certificate))
        let memory = VerifiedCertificates()
        memory.insert(certificate, issuedBy: root)
        #expect(memory.contains(certificate, issuedBy: root))
        #expect(try !memory.contains(certificate, issuedBy: read(other.root.certificate)))
        #expect(try !memory.contains(read(other.intermediate.certificate), issuedBy: root))
    }

    @Test("no more than sixteen are remembered, and all of a hundred verify")
    func bounded() throws {
        let authority = try AppAttestFixture.authority.get()
        let verifier = try AppAttestFixture.verifier()
        var recipe = AppAttestFixture.recipe()
        for index in 0..<40 {
            recipe.issuer = try authority.root.issue(
                "Intermediate \(index)", key: .makeP256(), constraints: .authority(pathLength: 0), at: now)
            #expect(verifier.outcome(try recipe.mint(by: authority)) == "ok")
        }
    }

    @Test("one verifier serves many tasks")
    func concurrent() async throws {
        let authority = try AppAttestFixture.authority.get()
        let verifier = try AppAttestFixture.verifier()
        let good = try AppAttestFixture.recipe().mint(by: authority)
        var other = AppAttestFixture.recipe()
        other.environment = .development
        let bad = try other.mint(by: authority)
        await withTaskGroup(of: String.self) { group in
            for index in 0..<40 { group.addTask { verifier.outcome(index % 2 == 0 ? good : bad) } }
            var outcomes: [String: Int] = [:]
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
            #expect(outcomes == ["ok": 20, "environment_not_allowed A12": 20])
        }
    }
}
