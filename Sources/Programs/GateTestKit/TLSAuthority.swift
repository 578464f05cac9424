import AppAttest
import AppAttestTestKit
import BasicFoundation
import SwiftASN1
import TextForms
import X509

/// Certificates for the gate's own TLS, and for clients that show one.
package enum TLSAuthority {
    /// Authorities of servers and of clients, and a certificate of each, as PEM by the names of their files.
    ///
    /// - Parameter hosts: names and IPv4 addresses of the server.
    package static func files(hosts: [String], at now: Date) throws -> [String: String] {
        let servers = try TestAuthority.Member.root("Test Gate TLS CA", at: now)
        let clients = try TestAuthority.Member.root("Test Gate Client CA", at: now)
        let names = MintedDER.element(tag: [0x30], try hosts.flatMap(name))
        let server = try leaf(of: servers, "gate", usage: "1.3.6.1.5.5.7.3.1", at: now) {
            $0.extensions.append(CertificateExtension("2.5.29.17", names))
        }
        let client = try leaf(of: clients, "a developer", usage: "1.3.6.1.5.5.7.3.2", at: now) { _ in }
        return [
            "tls-ca.pem": servers.certificatePEM + "\n", "tls.pem": server.certificatePEM + "\n",
            "tls-key.pem": server.key.pem + "\n", "client-ca.pem": clients.certificatePEM + "\n",
            "client.pem": client.certificatePEM + "\n", "client-key.pem": client.key.pem + "\n",
        ]
    }

    private static func leaf(
        of authority: TestAuthority.Member, _ commonName: String, usage: String, at now: Date,
        edit: (inout CertificateTemplate) -> Void
    ) throws -> TestAuthority.Member {
        try authority.issue(commonName, key: .makeP256(), constraints: .notAuthority, at: now) { template in
            // What every member gets is for signers of receipts.
            template[AppleExtension.receiptSigner] = nil
            // Clients refuse certificates of servers that are good for years.
            template.notBefore = UTCTimestamp(now).advanced(by: .seconds(-3_600))
            template.notAfter = UTCTimestamp(now).advanced(by: .seconds(365 * 86_400))
            template.extensions.append(
                CertificateExtension("2.5.29.37", MintedDER.sequence(MintedDER.objectIdentifier(usage))))
            edit(&template)
        }
    }

    /// A GeneralName: [2] for a name, [7] for an address.
    private static func name(_ host: String) throws -> [UInt8] {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let address = parts.compactMap { UInt8($0) }
        guard !host.isEmpty, host.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { throw TrialFailure.badAddress(host) }
        return address.count == 4 && parts.count == 4
            ? MintedDER.element(tag: [0x87], address) : MintedDER.element(tag: [0x82], Array(host.utf8))
    }
}

extension TestAuthority {
    /// All members and the anchors that a gate takes.
    package var trialFiles: [String: String] {
        var files = files.mapValues { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
        files["anchors.pem"] = anchorsPEM
        return files
    }
}
