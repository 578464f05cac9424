import Airgap
import KnownAnswers
import Substrate
import TextForms

/// Updates as they travel, in hex: each reads, and is written again as it was.
enum PayloadFileAnswers {
    static func check(_ file: AnswerFile, report: inout Report) {
        do {
            let bytes = try file.hex()
            guard case .update(let update) = try Payload(bytes) else {
                return report.fail(file.path, because: "no update")
            }
            report.expect("\(file.path) signature", update.signer != nil, equals: bytes[1] != 0xff)
            report.expect("\(file.path) content", update.isInside(bytes), equals: true)
        } catch {
            report.fail(file.path, because: "\(error)")
        }
    }
}

extension UpdatePayload {
    fileprivate func isInside(_ bytes: [UInt8]) -> Bool {
        let (start, signed) = (3 + (signer?.publicKey.count ?? 0), content.signedBytes)
        guard bytes.count > start else { return false }
        return [0, 1, 2, 4].contains { bytes.dropFirst(start + $0).starts(with: signed) }
    }
}

/// Metadata in hex, called by their name and version.
enum MetadataFileAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) {
        do {
            let metadata = try ChainMetadata(file.hex())
            report.expect(file.path, "\(metadata.specName)\(metadata.specVersion).hex", equals: file.name)
        } catch {
            report.fail(file.path, because: "\(error)")
        }
    }
}
