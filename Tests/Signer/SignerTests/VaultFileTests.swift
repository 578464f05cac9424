import Foundation
import Testing

@testable import Signer

@Suite("Files of a vault")
struct VaultFileTests {
    private let folder: Folder
    private let place: URL
    private let file: VaultFile

    init() throws {
        folder = try Folder()
        place = folder.url.appending(path: "file")
        file = VaultFile(place.path)
    }

    @Test("what is replaced is read back, and nobody else may read it")
    func replaced() throws {
        #expect(try file.content(limit: 10) == nil)
        try file.replace(with: [1, 2])
        try file.replace(with: [3])
        #expect(try file.content(limit: 10) == [3])
        #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
        try file.remove()
        #expect(try file.content(limit: 10) == nil)
    }

    @Test("a file that is larger than it may be is damaged")
    func large() throws {
        try file.replace(with: [1, 2, 3])
        #expect(throws: SignerError.databaseDamaged(.file(path: place.path, reason: "it is larger than 2 bytes"))) {
            try file.content(limit: 2)
        }
    }

    @Test("a file that others may use, that has two names, or that is a link, is refused", arguments: 0..<3)
    func foreign(_ kind: Int) throws {
        try file.replace(with: [1])
        let other = folder.url.appending(path: "other")
        switch kind {
        case 0: try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path)
        case 1: try FileManager.default.linkItem(at: place, to: other)
        default:
            try FileManager.default.moveItem(at: place, to: other)
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: other)
        }
        let error = #expect(throws: SignerError.self) { try file.content(limit: 10) }
        #expect(error?.code == "StorageUnavailable")
    }

    @Test("a lock is had by one, and free again when the last reference goes")
    func lock() throws {
        var lock = try VaultLock(path: place.path, of: "vault") as VaultLock?
        #expect(throws: SignerError.vaultBusy(path: "vault")) { try VaultLock(path: place.path, of: "vault") }
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(throws: Never.self) { try VaultLock(path: place.path, of: "vault") }
    }
}
