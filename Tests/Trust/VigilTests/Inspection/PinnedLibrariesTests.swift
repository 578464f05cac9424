#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("Libraries of the system that the manifest pins")
    struct PinnedLibrariesTests {
        private let folder: TemporaryFolder
        /// A file as the loader finds it: of a longer name than the soname.
        private let path: String
        private let text2: Bytes32

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path("libsample.so.1.2.13")
            try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: path)
            let file = try ExecutableFile(parsing: OpenedFile(path: path))
            text2 = try #require(try file.digests([.text2]).images.first?.text2.flatMap { Bytes32($0.bytes) })
        }

        private func key(_ path: String) throws -> FileKey {
            let file = try OpenFile(opening: path)
            return try withExtendedLifetime(file) { try FileKey(mapping: file.number) }
        }

        @Test("a file is compared by the soname that it belongs to")
        func compared() throws {
            let right = PinnedLibraries(["libsample.so.1": text2])
            let wrong = PinnedLibraries(["libsample.so.1": .zero])
            for _ in 0..<2 {
                #expect(right.examine(path, try key(path)) == .trusted)
                #expect(wrong.examine(path, try key(path)) == .refused("not the pinned library"))
            }
            // Another library.
            #expect(PinnedLibraries(["libsample.so.2": .zero]).examine(path, try key(path)) == .trusted)
        }

        @Test("what cannot be compared is refused: another file, a link, a pipe, no image")
        func refused() throws {
            let pinned = PinnedLibraries(["libsample.so": text2])
            func isRefused(_ path: String, _ key: FileKey) -> Bool {
                if case .refused = pinned.examine(path, key) { true } else { false }
            }
            let key = try key(path)
            #expect(!isRefused(path, key))
            // One of the same content that is not the one that is mapped.
            let copy = folder.path("libsample.so.1")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let other = try self.key(copy)
            #expect(isRefused(copy, key) && isRefused(path, other) && !isRefused(copy, other))
            try Data("text".utf8).write(to: URL(filePath: folder.path("libsample.so.2")))
            #expect(isRefused(folder.path("libsample.so.2"), key))
            #expect(isRefused(folder.path("libsample.so.2"), try self.key(folder.path("libsample.so.2"))))
            #expect(symlink(path, folder.path("libsample.so.3")) == 0)
            #expect(isRefused(folder.path("libsample.so.3"), key))
            #expect(mkfifo(folder.path("libsample.so.4"), 0o600) == 0)
            #expect(isRefused(folder.path("libsample.so.4"), key))
            #expect(isRefused(folder.path("libsample.so.5"), key))
        }

        @Test("a file that was changed is compared anew")
        func changed() throws {
            let pinned = PinnedLibraries(["libsample.so.1": text2])
            #expect(pinned.examine(path, try key(path)) == .trusted)
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.truncate(atOffset: 100)
            try file.close()
            #expect(pinned.examine(path, try key(path)) != .trusted)
        }
    }
#endif
