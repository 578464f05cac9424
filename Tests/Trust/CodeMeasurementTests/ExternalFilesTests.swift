#if os(Linux)
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    @Suite("Files of the system")
    struct ExternalFilesTests {
        private func key(_ path: String) throws -> FileKey {
            FileKey(try OpenFile(opening: path).status())
        }

        @Test("a library of root in folders of root is trusted")
        func trusted() throws {
            let path = try #require(try MemoryMap(KernelFile.bytes("/proc/self/maps")).path(ending: "/libc.so.6"))
            var files = ExternalFiles()
            #expect(files.examine(path, try key(path)) == .trusted)
            // Known folders by now.
            #expect(files.examine(path, try key(path)) == .trusted)
        }

        @Test("another file than the one of the path, and one that is not there, are refused")
        func others() throws {
            var files = ExternalFiles()
            #expect(files.examine("/etc/passwd", try key("/etc/group")) != .trusted)
            #expect(files.examine("/usr/lib/nothing.so", try key("/etc/group")) != .trusted)
            #expect(files.examine("/usr", try key("/usr")) != .trusted)
        }

        @Test("a file that may not be looked at is refused", .enabled(if: geteuid() != 0))
        func hidden() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("a.so")
            try Data("x".utf8).write(to: URL(filePath: path))
            let key = try key(path)
            chmod(folder.url.path, 0)
            defer { chmod(folder.url.path, 0o700) }
            var files = ExternalFiles()
            #expect(files.examine(path, key) == .refused("library that is not there for this process"))
        }

        @Test("a file that others may change, or in such a folder, is refused", .enabled(if: geteuid() == 0))
        func changeable() throws {
            let folder = try TemporaryFolder()
            var files = ExternalFiles()
            let path = folder.path("a.so")
            try Data("x".utf8).write(to: URL(filePath: path))
            // Everybody may write to the folder for temporary files.
            guard case .refused(let why) = files.examine(path, try key(path)) else {
                Issue.record("it was taken")
                return
            }
            #expect(why.contains("folder"))
            chmod(path, 0o666)
            guard case .refused(let why) = files.examine(path, try key(path)) else {
                Issue.record("it was taken")
                return
            }
            #expect(!why.contains("folder"))
        }
    }

    extension MemoryMap {
        fileprivate func path(ending suffix: String) -> String? {
            mappings.lazy.map(path(of:)).first { $0.hasSuffix(suffix) }
        }
    }
#endif
