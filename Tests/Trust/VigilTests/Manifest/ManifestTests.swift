import Foundation
import TestSupport
import Testing

@testable import Vigil

@Suite("Manifests")
struct ManifestTests {
    /// The payload of the smallest good manifest.
    private static func payload() throws -> [UInt8] { try sample().payload }

    static func sample(pages: [PageRun]? = nil, externals: [ExternalLibrary] = []) throws -> Manifest {
        var app = image(.app, .program, "bin/app", 1)
        if let pages {
            app.pages = pages
            app.pageRoot = pages.root(pageSize: app.pageSize)
        }
        let images = [app, image(.app, .library, "lib/a.so", 2), image(.validator, .program, "bin/validator", 3)]
        let bundles = try Side.allCases.map { side in
            try BundleEntry(
                side: side, architecture: "x86_64", bundle2: Manifest.bundle2(of: images.filter { $0.side == side }))
        }
        return try Manifest(
            product: "org.example", epoch: 5, created: "2026-01-01T00:00:00Z", images: images, externals: externals,
            bundles: bundles)
    }

    static func image(_ side: Side, _ role: ManifestImage.Role, _ path: String, _ seed: UInt8) -> ManifestImage {
        func digest(_ part: UInt8) -> Bytes32 { .hash(of: [seed, part]) }
        return ManifestImage(
            side: side, role: role, path: path, format: .elf, architecture: "x86_64", text1: digest(1),
            text2: digest(2), load2: digest(3), file: digest(4), size: 100, fsverity: nil, pageSize: .kib4,
            pageRoot: digest(5), pages: nil)
    }

    private func refusal(_ payload: [UInt8]) -> String? {
        do throws(ManifestError) { _ = try Manifest(payload: payload) } catch { return error.identifier }
        return nil
    }

    @Test("a payload is read and written again as it was, with pages and libraries of the system")
    func roundTrip() throws {
        let pages = [
            PageRun(address: 0, digests: [.zero, .hash(of: [1])]),
            PageRun(address: .max - 5, digests: [.hash(of: [2])]),
        ]
        let externals = [
            ExternalLibrary(side: .app, soname: "libc.so.6"),
            ExternalLibrary(side: .validator, soname: "libc.so.6", policy: .pinned(.hash(of: [9]))),
        ]
        let manifest = try Self.sample(pages: pages, externals: externals)
        #expect(try Manifest(payload: manifest.payload) == manifest)
        #expect(manifest.externalNames(of: .app) == ["libc.so.6"])
    }

    @Test(
        "a broken rule makes a manifest malformed",
        arguments: [
            ("\"product\":\"org.example\"", "\"product\":1"), ("\"epoch\":5", "\"epoch\":-1"),
            ("\"epoch\":5", "\"epoch\":4294967296"), ("\"epoch\":5", "\"epoch\":5.5"),
            ("2026-01-01T00:00:00Z", "yesterday"), ("\"bin/app\"", "\"/bin/app\""), ("\"bin/app\"", "\"bin//app\""),
            ("\"bin/app\"", "\"bin/../app\""), ("\"bin/app\"", "\"\""), ("\"bin/app\"", "\"bin/other\""),
            ("\"path\":\"lib/a.so\",\"role\":\"bundle\"", "\"path\":\"lib/a.so\",\"role\":\"plugin\""),
            ("\"format\":\"elf\"", "\"format\":\"pe\""), ("\"pageSize\":4096", "\"pageSize\":8192"),
            ("\"size\":100", "\"size\":\"100\""), ("\"bundles\"", "\"bundle\""), ("\"of\":\"app\"", "\"of\":\"both\""),
            ("\"role\":\"validator\"", "\"role\":\"bundle\",\"of\":\"validator\""),
        ])
    func rules(part: String, other: String) throws {
        let payload = try Self.payload()
        #expect(refusal(payload) == nil)
        #expect(payload.replacing(part, with: other) != payload)
        #expect(refusal(payload.replacing(part, with: other)) == "malformedManifest")
    }

    @Test("upper-case digests and digests of another length are malformed")
    func digests() throws {
        let payload = try Self.payload()
        let digest = "\(try Self.sample().images[0].load2)"
        for other in [digest.uppercased(), String(digest.dropLast(2)), digest + "00", "0x" + digest.dropLast(2)] {
            #expect(refusal(payload.replacing(digest, with: other)) == "malformedManifest")
        }
    }

    @Test("every other version is unsupported, and a manifest without one as well")
    func versions() throws {
        for other in ["1", "3", "\"2\"", "null", "2.5"] {
            let payload = try Self.payload().replacing("\"vigilManifest\":2", with: "\"vigilManifest\":\(other)")
            #expect(refusal(payload) == "unsupportedVersion")
        }
    }

    @Test("the same image twice, and the same library of the system twice, is malformed")
    func twice() throws {
        let manifest = try Self.sample()
        #expect(throws: ManifestError.self) {
            try Manifest(
                product: "a", epoch: 0, created: manifest.created, images: manifest.images + [manifest.images[0]],
                externals: [], bundles: [])
        }
        let library = ExternalLibrary(side: .app, soname: "libc.so.6")
        #expect(throws: ManifestError.self) { try Self.sample(externals: [library, library]) }
    }

    @Test("pages that are not those of the root are malformed")
    func pages() throws {
        let run = PageRun(address: 64, digests: [.hash(of: [1])])
        let payload = try Self.sample(pages: [run]).payload
        #expect(refusal(payload) == nil)
        #expect(refusal(payload.replacing("\"address\":\"40\"", with: "\"address\":\"41\"")) == "malformedManifest")
        #expect(refusal(payload.replacing("\"address\":\"40\"", with: "\"address\":\"040\"")) == "malformedManifest")
        #expect(refusal(payload.replacing("\"pages\":1", with: "\"pages\":2")) == "malformedManifest")
        #expect(refusal(payload.replacing("\"pages\":1", with: "\"pages\":0")) == "malformedManifest")
        #expect(refusal(payload.replacing("\"pageSegments\"", with: "\"others\"")) == "malformedManifest")
    }

    @Test("more than 1024 entries, and more depth than 8, are malformed")
    func limits() throws {
        let externals = (0...1024).map { ExternalLibrary(side: .app, soname: "lib\($0).so") }
        #expect(throws: ManifestError.self) { try Self.sample(externals: externals) }
        #expect(throws: Never.self) { try Self.sample(externals: Array(externals.prefix(1021))) }
        let deep = try Self.payload().replacing("\"epoch\"", with: "\"x\":[[[[[[[[[]]]]]]]]],\"epoch\"")
        #expect(refusal(deep) == "malformedManifest")
    }

    @Test("an older epoch than was seen is refused, and the same one is not")
    func epochs() throws {
        let key = TestKey()
        let trusted = try #require(TrustedKeys([key.pinned]))
        let file = try Envelope(type: Manifest.payloadType, payload: Self.payload()).signed(by: key).json
        #expect(throws: Never.self) { try Manifest(verifying: file, by: trusted, storedEpoch: 5) }
        #expect(throws: ManifestError.epochRollback(found: 5, stored: 6)) {
            try Manifest(verifying: file, by: trusted, storedEpoch: 6)
        }
    }

    @Test("the payload is not looked at before the signature")
    func order() throws {
        let key = TestKey()
        let trusted = try #require(TrustedKeys([key.pinned]))
        let file = Envelope(type: Manifest.payloadType, payload: [UInt8]("not JSON")).json
        #expect(throws: ManifestError.envelope(.thresholdNotMet(found: 0, needed: 1))) {
            try Manifest(verifying: file, by: trusted)
        }
    }

    @Test("damaged payloads are read or refused, and never a trap")
    func damaged() throws {
        var random = SplitMix64(state: 8)
        let payload = try Self.sample(pages: [PageRun(address: 0, digests: [.zero])]).payload
        for _ in 0..<5_000 {
            var copy = payload
            for _ in 0...(random.next() % 3) { copy[Int(random.next() % UInt64(copy.count))] = random.byte() }
            _ = try? Manifest(payload: copy)
        }
    }
}
