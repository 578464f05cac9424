#if os(Linux)
    import Files
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

        /// What a manager of services does for a validator, before there is one.
        private func managed() throws -> OpenFile {
            let manager = try UnixAddress.makeSocket()
            #expect(try UnixAddress.with(path) { bind(manager.number, $0, $1) } == 0)
            #expect(listen(manager.number, 8) == 0)
            return manager
        }

        private func connect() throws -> OpenFile {
            let socket = try UnixAddress.makeSocket()
            #expect(try UnixAddress.with(path) { Glibc.connect(socket.number, $0, $1) } == 0)
            return socket
        }

        @Test("one that the manager of services has made stays whole, with who waits in it, for the next process")
        func inherited() throws {
            let manager = try managed()
            var clients: [OpenFile] = []
            for _ in 0..<3 {
                let listener = try UnixListener(inherited: dup(manager.number), path: path)
                clients.append(try connect())
                _ = try listener.accept()
                // It comes too late for this one.
                clients.append(try connect())
                listener.close()
                #expect(throws: ChannelError.closed) { try listener.accept() }
                var polled = pollfd(fd: manager.number, events: Int16(POLLIN), revents: 0)
                #expect(poll(&polled, 1, 0) == 1 && polled.revents == Int16(POLLIN))
                let next = accept(manager.number, nil, nil)
                #expect(next >= 0)
                close(next)
                #expect(poll(&polled, 1, 0) == 0)
            }
            #expect(exists)
        }

        @Test("ends for threads that wait for a connection, whoever has made it", arguments: [true, false])
        func wakes(isOwn: Bool) throws {
            let manager = isOwn ? nil : try managed()
            let listener =
                try manager.map { try UnixListener(inherited: dup($0.number), path: path) } ?? UnixListener(at: path)
            let ended = DispatchSemaphore(value: 0)
            for _ in 0..<2 {
                Thread {
                    do throws(ChannelError) { _ = try listener.accept() } catch {
                        if error == .closed { ended.signal() }
                    }
                }.start()
            }
            // Both wait by then, or find it ended.
            usleep(20_000)
            listener.close()
            for _ in 0..<2 { #expect(ended.wait(timeout: .now() + 60) == .success) }
        }

        @Test("is no descriptor that programs of the validator's get")
        func closesOnExec() throws {
            let manager = try managed()
            let number = dup(manager.number)
            let listener = try UnixListener(inherited: number, path: path)
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            listener.close()
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
