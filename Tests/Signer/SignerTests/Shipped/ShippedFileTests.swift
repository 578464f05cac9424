import Foundation
import TestSupport
import Testing

@testable import Signer

@Suite("Files that are installed beside the program")
struct ShippedFileTests {
    private static let folders = [
        "Sources/Signer/Signer/Resources/Metadata", "Sources/Programs/InstalledSigner/Resources/Demo",
    ]

    @Test("the digests that are compiled in are those of the files; one was meant to change? scripts/shipped-files.sh")
    func digests() throws {
        var found: [String: String] = [:]
        for folder in Self.folders.map({ packageRoot.appending(path: $0) }) {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                found[name] = ShippedFile.digest(of: Array(try Data(contentsOf: folder.appending(path: name))))
            }
        }
        #expect(found == ShippedFile.digests)
        // printf abc | sha256sum
        #expect(
            ShippedFile.digest(of: Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("a file with one other bit, or in the place of another, is refused by name; a missing one too")
    func changed() throws {
        let folder = try Folder()
        let shipped = packageRoot.appending(path: Self.folders[0])
        let file = folder.url.appending(path: "polkadot.metadata")
        var content = try Data(contentsOf: shipped.appending(path: "polkadot.metadata"))
        try content.write(to: file)
        #expect(try ShippedFile.read("polkadot.metadata", at: file) == Array(content))
        content[content.count / 2] ^= 1
        try content.write(to: file)
        let changed = SignerError.shippedFileChanged(path: file.path)
        #expect(throws: changed) { try ShippedFile.read("polkadot.metadata", at: file) }
        try Data(contentsOf: shipped.appending(path: "kusama.metadata")).write(to: file)
        #expect(throws: changed) { try ShippedFile.read("polkadot.metadata", at: file) }
        #expect(throws: SignerError.self) { try ShippedFile.read("polkadot.metadata", at: nil) }
        #expect(throws: SignerError.self) { try ShippedFile.read("unknown.metadata", at: file) }
        try FileManager.default.removeItem(at: file)
        let missing = SignerError.storageUnavailable(path: file.path, reason: "it is missing from the installation")
        #expect(throws: missing) { try ShippedFile.read("polkadot.metadata", at: file) }
    }
}
