import Foundation
import Testing

@testable import MainKey

@Suite("The folder of a vault")
struct VaultDirectoryTests {
    private let folder = StorageFolder()

    @Test("the folder and that of the items carry the marks that keep them out of backups")
    func marks() throws {
        let vault = try VaultDirectory(folder.file("vault"), .creating)
        #expect(try vault.items(.existing)?.path == nil)
        let items = try #require(try vault.items(.creating))
        for directory in [vault.files, items] {
            let content = try #require(try directory.read("CACHEDIR.TAG", limit: 1000))
            let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "Signature: 8a477f597d28d172789f06886806bc55")
            #expect(BackupMarks(of: directory).hasTag)
        }
    }

    @Test("marks that are there are not written again, a wrong tag is")
    func marksAgain() throws {
        let directory = try folder.open()
        let first = try BackupMarks.set(on: directory)
        var status = stat()
        #expect(stat(folder.file("CACHEDIR.TAG"), &status) == 0)
        let file = status.st_ino
        #expect(try BackupMarks.set(on: directory) == first)
        #expect(stat(folder.file("CACHEDIR.TAG"), &status) == 0 && status.st_ino == file)
        folder.put("Signature: something else", "CACHEDIR.TAG")
        #expect(!BackupMarks(of: directory).hasTag)
        #expect(try BackupMarks.set(on: directory).hasTag)
    }

    @Test(
        "tar leaves out a marked folder when it is told to leave out caches",
        .enabled(if: access("/usr/bin/tar", X_OK) == 0))
    func tar() throws {
        let vault = try VaultDirectory(folder.file("vault"), .creating)
        try vault.files.write([1], to: VaultDirectory.Name.keyFile)
        let archive = folder.file("archive.tar")
        #expect(run("/usr/bin/tar", "--exclude-caches", "-cf", archive, "-C", folder.path, "vault"))
        let bytes = try #require(FileManager.default.contents(atPath: archive))
        #expect(bytes.range(of: Data("CACHEDIR.TAG".utf8)) != nil)
        #expect(bytes.range(of: Data("keyring.mk".utf8)) == nil)
    }

    @Test(
        "a network file system is refused unless it is allowed",
        arguments: [(0x6969, "NFS"), (0xff53_4d42, "CIFS"), (0xfe53_4d42, "SMB2"), (0x0102_1997, "9p")]
            as [(UInt32, String)])
    func network(magic: UInt32, name: String) {
        let kind = FileSystemKind(magic: magic)
        #expect(kind == .network(name))
        #expect(code { try VaultDirectory.check(kind, path: "/x", allowNetwork: false) } == "configError")
        #expect(code { try VaultDirectory.check(kind, path: "/x", allowNetwork: true) } == "ok")
    }

    @Test("memory is told from disks, and neither is a network")
    func memory() throws {
        #expect(FileSystemKind(magic: 0x0102_1994) == .memory)
        #expect(FileSystemKind(magic: 0x8584_58f6) == .memory)
        #expect(FileSystemKind(magic: 0xef53) == .other)
        #expect(code { try VaultDirectory.check(.other, path: "/x", allowNetwork: false) } == "ok")
    }
}
