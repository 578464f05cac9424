import Foundation
import TestSupport
import Testing

@testable import Vigil

@Suite("Known manifests", .enabled(if: SharedData.has("vigil/manifest-vectors.json")))
struct ManifestVectorTests {
    private static let known = (try? SharedData.json("vigil/manifest-vectors.json")) ?? .null

    @Test("the bytes that are signed")
    func signedBytes() throws {
        let bytes = Envelope.signedBytes(type: Manifest.payloadType, payload: Array(Self.known["manifest"].text.utf8))
        // The known answers show the beginning, and the digest of all.
        #expect(try bytes.starts(with: #require(Self.known["paeExample"].hex)))
        #expect(Bytes32.hash(of: bytes).bytes == Self.known["paeSha256"].hex)
    }

    @Test("each case ends as it says", arguments: known["cases"].array.indices)
    func outcome(index: Int) throws {
        let row = Self.known["cases"][index]
        let keys = row["trustedKeys"].array.compactMap { PublicKey(x963: $0.hex ?? []) }
        let threshold = try #require(row["threshold"].int)
        let trusted = try #require(TrustedKeys(keys, threshold: threshold))
        var outcome = "ok"
        do throws(ManifestError) {
            let manifest = try Manifest(
                verifying: Array(row["envelope"].text.utf8), by: trusted,
                storedEpoch: UInt32(row["storedEpoch"].int ?? -1))
            #expect(manifest.product == "org.example.vault")
        } catch {
            outcome = error.identifier
        }
        #expect(outcome == row["expect"].string, "\(row["name"].string ?? "")")
    }

    @Test("a manifest says what the payload says")
    func content() throws {
        let manifest = try Manifest(payload: Array(Self.known["manifest"].text.utf8))
        #expect(manifest.epoch == 7)
        #expect(manifest.architectures == ["x86_64"])
        for bundle in Self.known["manifest"]["bundles"].array {
            let side = try #require(Side(rawValue: bundle["of"].string ?? ""))
            #expect(manifest.bundleDigest(of: side, architecture: "x86_64")?.bytes == bundle["bundle2"].hex)
            #expect(manifest.bundleDigest(of: side, architecture: "arm64") == nil)
        }
        let app = manifest.images(of: .app, architecture: "x86_64")
        #expect(app.map(\.path) == ["bin/app", "lib/libsample.so"])
        #expect(manifest.externalNames(of: .app) == nil)
    }

    @Test("reading and writing gives the same payload")
    func roundTrip() throws {
        let payload = Array(Self.known["manifest"].text.utf8)
        #expect(try Manifest(payload: payload).payload == payload)
    }
}
