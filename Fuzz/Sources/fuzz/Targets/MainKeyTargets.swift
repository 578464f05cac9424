import CertificatePins
import Foundation
import HardwareKeys
@_spi(Fuzzing) import MainKey

extension FuzzTarget {
    /// The key file of a vault, which is read before anything is known to be authentic.
    static let keyFile = FuzzTarget(name: "key-file", seeds: keyFiles) { _ = OutsideBytes.keyFile($0) }

    /// The small files and values beside it, by their first byte.
    static let vaultBytes = FuzzTarget(
        name: "vault-bytes",
        seeds: [
            [0] + Array("MKA1".utf8) + [1, 0, 0, 0], [1] + Array("MKI1".utf8) + [1, 2, 0, 0],
            [2, 1, 2, 0, 0, 0, 1] + Array(repeating: 0, count: 40), [3, 0x81, 0x61, 0x80, 0, 0],
            [4] + Array("MKF1".utf8) + [1, 1, 16, 0, 0, 0, 0, 1], [5, 16, 0, 0, 1, 0],
            [6] + Array("MKN1".utf8) + Array(repeating: 7, count: 16) + [1] + Array(repeating: 1, count: 12) + [1]
                + Array(repeating: 0, count: 48),
            [6] + Array("MKN2".utf8) + Array(repeating: 7, count: 16) + [1] + Array(repeating: 1, count: 46) + [1]
                + Array(repeating: 0, count: 48),
            [7] + Array("MKW2".utf8) + Array(repeating: 7, count: 48),
            [8] + Array("MKL1".utf8) + Array(repeating: 7, count: 16) + [0, 0, 0, 1] + Array(repeating: 1, count: 48),
            [8] + Array("MKL2".utf8) + Array(repeating: 7, count: 16) + [0, 0, 0, 0] + [0, 0, 0, 1, 0, 2]
                + Array("/a".utf8) + Array(repeating: 1, count: 64),
        ]
    ) { bytes in
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case 0: _ = OutsideBytes.attempts(rest)
        case 1: _ = OutsideBytes.item(rest)
        case 2: precondition(!OutsideBytes.sealedValue(rest), "nobody sealed this")
        case 3: _ = OutsideBytes.plaintext(rest)
        case 4: _ = OutsideBytes.fileHeader(rest)
        case 5:
            let count = rest.dropFirst().prefix(7).reduce(0) { $0 << 8 | Int($1) }
            _ = OutsideBytes.fileLayout(count, chunkLog2: 12 + Int(rest.first ?? 0) % 9)
        case 6: precondition(!OutsideBytes.indexJournal(rest), "nobody authenticated this")
        case 7: precondition(!OutsideBytes.wipeMark(rest), "nobody signed this")
        case 8: _ = OutsideBytes.itemList(rest)
        default: break
        }
    }

    /// What a key file says of its hardware.
    static let hardwareBlob = FuzzTarget(
        name: "hardware-blob",
        seeds: [[1, 2, 0, 0] + Array(repeating: 0, count: 80), [1, 0, 0, 4] + Array(repeating: 4, count: 69)]
    ) { bytes in
        if let blob = try? TPMSealedBlob(parsing: bytes) { precondition(blob.serialised == bytes) }
        if let blob = try? EnclaveBlob(parsing: bytes) { precondition(blob.serialised == bytes) }
    }

    /// Certificates, as DER and as PEM.
    static let certificate = FuzzTarget(
        name: "certificate",
        seeds: [
            [0x30, 0x03, 0x02, 0x01, 0x00],
            Array("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8),
        ]
    ) { bytes in
        _ = try? SubjectPublicKeyInfo(certificate: bytes)
    }

    /// A whole key file of each kind of slot without hardware, made here.
    private static var keyFiles: [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard OutsideBytes.makeVault(at: folder.path),
            let bytes = try? Data(contentsOf: folder.appending(path: "keyring.mk"))
        else { return [] }
        return [Array(bytes)]
    }
}
