import CodeMeasurement
import ExecutableImage
import Foundation
import TestSupport
import Testing

@testable import ManifestMaking
@testable import Vigil

@Suite("Manifests from files", .enabled(if: SharedData.has("vigil/elf")))
struct ManifestDraftTests {
    private let folder: TemporaryFolder

    /// A product as it is installed: two programs, a library, and others that belong to nobody.
    init() throws {
        folder = try TemporaryFolder()
        for (path, file) in [
            ("bin/app", "hello-x86_64-pie"), ("libexec/vigil-validator", "hello-x86_64-bfd"),
            ("lib/libsample.so", "libsample-x86_64.so"), ("bin/other", "hello-swift-x86_64"),
        ] {
            let target = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: SharedData.url("vigil/elf/\(file)"), to: target)
        }
        try Data("text".utf8).write(to: folder.url.appending(path: "lib/readme"))
    }

    private func draft() -> ManifestDraft {
        var draft = ManifestDraft(
            app: folder.path("bin/app"), validator: folder.path("libexec/vigil-validator"),
            bundleRoot: folder.url.path)
        // These were linked as compilers do it unless they are told otherwise.
        draft.withWritableParts = true
        return draft
    }

    private func make(_ draft: ManifestDraft) throws -> Manifest {
        try draft.manifest(product: "org.example", epoch: 7, created: Timestamp(Date(timeIntervalSince1970: 0)))
    }

    @Test("the digests are those of the known answers")
    func digests() throws {
        let known = try SharedData.json("vigil/bundle-vectors.json")[1]
        let manifest = try make(draft())
        #expect(manifest.bundleDigest(of: .app, architecture: "x86_64")?.bytes == known["bundle2"].hex)
        #expect(manifest.combinedTextDigest(of: .app, architecture: "x86_64")?.bytes == known["combineHashes"].hex)
        #expect(manifest.images(of: .app, architecture: "x86_64").map(\.path) == known["order"].strings)
        let expected = try SharedData.json("vigil/expected-hashes.json")["elf/hello-x86_64-pie"]
        let app = try #require(manifest.program(of: .app, architecture: "x86_64"))
        #expect(app.file?.bytes == expected["file"].hex)
        #expect(app.load2.bytes == expected["images"][0]["load2"].hex)
        #expect(app.pageRoot.bytes == expected["images"][0]["pageRoot"].hex)
        #expect(manifest.created == "1970-01-01T00:00:00Z")
    }

    @Test("a program whose constants or addresses of functions stay writable is refused by its path and section")
    func writable() throws {
        var draft = draft()
        draft.withWritableParts = false
        do throws(ManifestDraftError) {
            _ = try draft.manifest(product: "org.example", epoch: 7, created: Timestamp(Date()))
            Issue.record("it was accepted")
        } catch {
            guard case .writable(let path, let part) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(path == draft.app && part == .lazyBinding)
            #expect(error.description.contains("Link with"))
        }
    }

    @Test("the same files make the same bytes, and the payload is accepted")
    func canonical() throws {
        var draft = draft()
        draft.withPages = true
        let manifest = try make(draft)
        #expect(try make(draft).payload == manifest.payload)
        #expect(try Manifest(payload: manifest.payload) == manifest)
        #expect(manifest.images[0].pages?.isEmpty == false)
    }

    @Test("whole-file digests stay out where the envelope will be embedded")
    func withoutFiles() throws {
        var draft = draft()
        draft.withFiles = false
        #expect(try make(draft).images.allSatisfy { $0.file == nil && $0.fsverity == nil })
    }

    @Test("libraries of the system are followed through each other, and the loader is one")
    func externals() throws {
        var draft = draft()
        // The real ones are not needed: this one asks for others itself.
        let system = folder.url.appending(path: "system")
        try FileManager.default.createDirectory(at: system, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: SharedData.url("vigil/elf/hello-swift-x86_64"), to: system.appending(path: "libc.so.6"))
        draft.app = folder.path("bin/app")
        draft.bundleRoot = nil
        draft.systemLibraries = SystemLibraries(folders: [system.path])
        let deep = try ExecutableFile(parsing: OpenedFile(path: folder.path("bin/other")))
        let names = try #require(try make(draft).externalNames(of: .app))
        #expect(try names == Set(deep.linkage(of: deep.images[0]).needed).union(["libc.so.6", "ld-linux-x86-64.so.2"]))
    }

    @Test("without a root there are the two programs alone, under bin where they lie there")
    func withoutRoot() throws {
        var draft = draft()
        draft.bundleRoot = nil
        let manifest = try make(draft)
        #expect(manifest.images.map(\.path) == ["bin/app", "vigil-validator"])
    }

    @Test("a program outside the root, and a file that is none, are refused with their path")
    func refused() throws {
        var outside = draft()
        outside.bundleRoot = folder.path("lib")
        guard case .outside = #expect(throws: ManifestDraftError.self, performing: { try make(outside) }) else {
            Issue.record("not refused for its place")
            return
        }
        var noImage = draft()
        noImage.app = folder.path("lib/readme")
        let error = #expect(throws: ManifestDraftError.self) { try make(noImage) }
        guard case .image(let path, .refused(.badMagic, _)) = error else {
            Issue.record("not refused for its content")
            return
        }
        #expect(path == folder.path("lib/readme"))
    }
}
