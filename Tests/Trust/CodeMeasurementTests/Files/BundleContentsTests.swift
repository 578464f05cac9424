import CodeMeasurement
import ExecutableImage
import Foundation
import TestSupport
import Testing

@Suite("Bundles on disk")
struct BundleContentsTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func add(_ fixture: String, as path: String) throws {
        try scratch.write(ImageFixture.bytes(fixture), to: path)
    }

    @Test("of one program have the known digest, whatever else lies there")
    func known() throws {
        try add("elf/hello-x86_64-pie", as: "bin/app")
        try scratch.write(Array("#!/bin/sh\n".utf8), to: "bin/start")
        try scratch.write([], to: "share/empty")
        let contents = try BundleContents(of: scratch.url.path)
        #expect(contents.images.map(\.path) == ["bin/app"])
        #expect(contents.architectures == ["x86_64"])
        let expected = "115c882949d21ce5e3133daadb77488efcb2b92679c2a4a5d14a556bc5ccfe35"
        #expect(try contents.bundle2("x86_64").description == expected)
    }

    @Test("list images in the order of their paths' bytes")
    func order() throws {
        let paths = ["Lib/A.so", "bin/app", "lib/a/z.so", "lib/a.so", "lib/é/b.so"]
        for path in paths { try add("elf/free-arm", as: path) }
        let contents = try BundleContents(of: scratch.url.path)
        #expect(contents.images.map(\.path) == ["Lib/A.so", "bin/app", "lib/a.so", "lib/a/z.so", "lib/é/b.so"])
    }

    @Test("have a digest for each architecture")
    func architectures() throws {
        try add("elf/free-arm", as: "arm/app")
        try add("elf/free-aarch64", as: "arm64/app")
        let contents = try BundleContents(of: scratch.url.path)
        #expect(contents.architectures == ["aarch64", "arm"])
        #expect(try contents.bundle2("arm") != contents.bundle2("aarch64"))
    }

    @Test("end at symbolic links, to files, to folders, and around in a circle")
    func links() throws {
        try add("elf/free-arm", as: "bin/app")
        let outside = try TemporaryFolder()
        try outside.write(ImageFixture.bytes("elf/free-aarch64"), to: "other")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: scratch.path("bin/link"), withDestinationPath: outside.path("other"))
        try manager.createSymbolicLink(atPath: scratch.path("folder"), withDestinationPath: outside.url.path)
        try manager.createSymbolicLink(atPath: scratch.path("bin/up"), withDestinationPath: "..")
        #expect(try BundleContents(of: scratch.url.path).images.map(\.path) == ["bin/app"])
    }

    @Test("are refused with the path of an image that breaks a rule")
    func malformed() throws {
        try add("elf/free-arm", as: "bin/app")
        try scratch.write(ImageFixture.bytes("elf/free-arm").prefix(51).map { $0 }, to: "lib/short.so")
        let failure = #expect(throws: BundleFailure.self) { try BundleContents(of: scratch.url.path) }
        #expect(failure?.path == "lib/short.so")
        #expect(failure?.failure.error == .truncatedHeader)
    }

    @Test("are folders")
    func missing() {
        let failure = #expect(throws: BundleFailure.self) { try BundleContents(of: scratch.path("none")) }
        #expect(failure?.path == "")
        #expect(failure?.failure.error == nil)
    }
}
