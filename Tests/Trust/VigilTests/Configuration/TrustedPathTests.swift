#if os(Linux)
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("Paths that nobody else can make lead elsewhere")
    struct TrustedPathTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: folder.path("a/b"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            try Data("{}".utf8).write(to: folder.url.appending(path: "a/b/file"))
            for (path, mode) in [("", 0o755), ("a", 0o755), ("a/b", 0o755), ("a/b/file", 0o644)] { set(path, mode) }
        }

        private func set(_ path: String, _ mode: Int) { chmod(folder.path(path), mode_t(mode)) }

        private func isRefused(_ path: String) -> Bool {
            do throws(ConfigurationError) {
                try TrustedPath().check(folder.path(path))
                return false
            } catch {
                return true
            }
        }

        @Test("lead through folders of this user below a sticky one")
        func good() throws {
            #expect(!isRefused("a/b/file"))
            #expect(!isRefused("a/../a/./b/file"))
            #expect(try TrustedFile.read(folder.path("a/b/file"), limit: 10) == [UInt8]("{}"))
        }

        @Test("lead through no folder that others may write to, however far above", arguments: ["", "a", "a/b"])
        func writable(path: String) {
            for mode in [0o775, 0o757] {
                set(path, mode)
                #expect(isRefused("a/b/file"))
                #expect(throws: ConfigurationError.self) { try TrustedFile.read(folder.path("a/b/file"), limit: 10) }
            }
            // In such a folder everybody has his own files, and nobody another's.
            set(path, 0o1777)
            #expect(!isRefused("a/b/file"))
        }

        @Test("end at no file that others may write to, and are there")
        func end() {
            // What makes a folder safe to share says nothing of a file.
            for mode in [0o664, 0o646, 0o1664] {
                set("a/b/file", mode)
                #expect(isRefused("a/b/file"))
            }
            #expect(isRefused("a/b/none"))
        }

        @Test("have their folders by bytes: a name that begins with a mark hides none", arguments: ["\u{301}x", "x"])
        func marks(name: String) throws {
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder.path("a/\(name)"), withIntermediateDirectories: false)
            try manager.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("a/\(name)"))
            set("a/\(name)", 0o755)
            #expect(!isRefused("a/\(name)") && !isRefused("link"))
            set("a", 0o777)
            #expect(isRefused("a/\(name)") && isRefused("link"))
        }

        @Test("may have links, which lead where the same holds")
        func links() throws {
            let links = FileManager.default
            try links.createDirectory(atPath: folder.path("open"), withIntermediateDirectories: false)
            try links.createSymbolicLink(atPath: folder.path("in"), withDestinationPath: "a/b")
            try links.createSymbolicLink(atPath: folder.path("far"), withDestinationPath: folder.path("open/back"))
            try links.createSymbolicLink(atPath: folder.path("open/back"), withDestinationPath: "../a")
            try links.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
            #expect(!isRefused("in/file"))
            #expect(!isRefused("far/b/file"))
            set("open", 0o777)
            #expect(isRefused("far/b/file"))
            #expect(isRefused("loop"))
        }

        @Test("lead through nothing of another user", .enabled(if: geteuid() == 0))
        func owner() throws {
            for path in ["a", "a/b/file"] {
                chown(folder.path(path), 12399, 12399)
                #expect(isRefused("a/b/file"))
                try TrustedPath(owners: [12399]).check(folder.path("a/b/file"))
                chown(folder.path(path), 0, 0)
            }
            // A link that somebody else has made in a sticky folder.
            set("", 0o1777)
            symlink("a/b/file", folder.path("link"))
            #expect(!isRefused("link"))
            lchown(folder.path("link"), 12399, 12399)
            #expect(isRefused("link"))
        }
    }
#endif
