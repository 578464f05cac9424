#if os(Linux)
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("A socket that a validator listens on")
    struct UnixListenerTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            chmod(folder.path(""), 0o700)
            path = folder.path("v.sock")
        }

        private var exists: Bool { FileManager.default.fileExists(atPath: path) }

        @Test("is removed by the process that has made it")
        func own() throws {
            let listener = try UnixListener(at: path)
            #expect(exists)
            listener.close()
            #expect(!exists)
        }

        @Test("stays where the manager of services has made it")
        func inherited() throws {
            let manager = try UnixAddress.makeSocket()
            #expect(try UnixAddress.with(path) { bind(manager.number, $0, $1) } == 0)
            #expect(listen(manager.number, 1) == 0)
            UnixListener(inherited: dup(manager.number), path: path).close()
            #expect(exists)
        }

        @Test("lies in no folder that others reach, nor below one that others may write to")
        func folders() throws {
            for (above, mode) in [(0o700, 0o755), (0o777, 0o700)] {
                let inner = folder.path("inner")
                try? FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
                chmod(inner, mode_t(mode))
                chmod(folder.path(""), mode_t(above))
                #expect(throws: ChannelError.self) { try UnixListener(at: inner + "/v.sock") }
            }
        }
    }
#endif
