import Cryptography
import KnownAnswers
import Vigil

/// Envelopes with the keys that are trusted, and what becomes of each.
enum ManifestAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("paeExample", "cases") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, as: "manifest", checkManifest)
        report.check(content["cases"], checkCase)
    }

    private static func checkManifest(_ row: inout Row) throws {
        let payload = text(of: row["manifest"])
        row.expect("payload", try Manifest(payload: payload).payload, equals: payload)
        let envelope = Envelope(type: Manifest.payloadType, payload: payload)
        row.expect(
            "beginning of the signed bytes", envelope.signedBytes.starts(with: try row.bytes("paeExample")),
            equals: true)
        row.expect(
            "digest of the signed bytes", SHA256Hash.of(envelope.signedBytes),
            equals: try row.bytes("paeSha256"))
        let key = try KnownKey(row, "releasePrivateKey")
        guard let trusted = PublicKey(x963: key.publicKey).flatMap({ TrustedKeys([$0]) }) else {
            throw RowError.missing("releasePrivateKey")
        }
        let manifest = try Manifest(verifying: envelope.signed(by: key).json, by: trusted)
        row.expect("epoch", Int(manifest.epoch), equals: row["manifest"]["epoch"].int ?? -1)
    }

    private static func checkCase(_ row: inout Row) throws {
        let keys = row["trustedKeys"].hexes.compactMap { PublicKey(x963: $0) }
        guard let trusted = TrustedKeys(keys, threshold: try row.integer("threshold")) else {
            throw RowError.missing("trustedKeys")
        }
        let (file, epoch) = (text(of: row["envelope"]), try row.integer("storedEpoch", as: UInt32.self))
        var outcome = "ok"
        do {
            _ = try Manifest(verifying: file, by: trusted, storedEpoch: epoch)
        } catch {
            outcome = error.identifier
        }
        row.expect(try row.text("name"), outcome, equals: try row.text("expect"))
    }
}
