import Synchronization

/// Certificates whose signatures were verified on a path to an anchor, by their exact bytes and those of their issuers.
///
/// That one key signed certain bytes stays true for ever; everything else about a certificate, its time too, is judged
/// anew each time. Apple signs every attestation by one intermediate, so this halves the work of a verification.
///
/// Source: `appattest-gate` section 2.6.
final class VerifiedCertificates: Sendable {
    private static let limit = 16

    private struct Entry {
        let certificate: ChainCertificate
        let issuer: ArraySlice<UInt8>
    }

    private let entries = Mutex<[Entry]>([])

    func certificate(_ der: ArraySlice<UInt8>) -> ChainCertificate? {
        entries.withLock { entries in entries.first { $0.certificate.der == der }?.certificate }
    }

    func contains(_ certificate: ChainCertificate, issuedBy issuer: ChainCertificate) -> Bool {
        entries.withLock { Self.index(in: $0, of: certificate, issuedBy: issuer) != nil }
    }

    /// Keeps a certificate whose whole path was verified; the oldest goes when there are too many. A
    /// client without a certificate of the anchor cannot fill this.
    func insert(_ certificate: ChainCertificate, issuedBy issuer: ChainCertificate) {
        guard !contains(certificate, issuedBy: issuer) else { return }
        // Of bytes of its own: a slice would keep all of the attestation that it came in.
        guard let copy = try? ChainCertificate(der: Array(certificate.der)[...]) else { return }
        entries.withLock { entries in
            guard Self.index(in: entries, of: certificate, issuedBy: issuer) == nil else { return }
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(Entry(certificate: copy, issuer: Array(issuer.der)[...]))
        }
    }

    private static func index(
        in entries: [Entry], of certificate: ChainCertificate, issuedBy issuer: ChainCertificate
    ) -> Int? {
        entries.firstIndex { $0.certificate.der == certificate.der && $0.issuer == issuer.der }
    }
}
