#if os(Linux)
    import Foundation
    import Glibc

    /// Who sits on the bus between a program and its TPM: passes on what goes by, and changes what a test says. Ends
    /// with this value.
    package final class TPMRelay: Sendable {
        /// Changes a command; what it gives is the answer in place of the TPM's, which does not get the command then.
        package typealias OnCommand = @Sendable (_ command: inout [UInt8]) -> [UInt8]?
        /// Changes the TPM's answer to a command, as the TPM got it.
        package typealias OnAnswer = @Sendable (_ command: [UInt8], _ answer: inout [UInt8]) -> Void

        private let listener: Int32
        private let path: String

        /// What the tools of the TPM take.
        package var tcti: String { "swtpm:path=\(path)" }

        package init(
            before simulator: SoftwareTPM, onCommand: @escaping OnCommand = { _ in nil },
            onAnswer: @escaping OnAnswer = { _, _ in }, closesBehindAnswers: Bool = false
        ) throws {
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let name = "relay-\(UUID().uuidString.prefix(8)).sock"
            (self.listener, path) = (listener, simulator.folder.appending(path: name).path)
            guard Self.with(path, { bind(listener, $0, $1) }) == 0, listen(listener, 4) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            let tpm = simulator.socket.path
            symlink(tpm + ".ctrl", path + ".ctrl")
            Thread.detachNewThread {
                while case let program = accept(listener, nil, nil), program >= 0 {
                    Self.relay(program, tpm, onCommand, onAnswer, isForOne: closesBehindAnswers)
                }
                close(listener)
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        /// The code of a command or an answer.
        package static func code(_ message: [UInt8]) -> UInt32 { message[6..<10].reduce(0) { $0 << 8 | UInt32($1) } }

        /// The answer that says no more than this.
        package static func answer(_ code: UInt32) -> [UInt8] {
            [0x80, 0x01, 0, 0, 0, 10] + (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
        }

        private static func with(
            _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        /// One connection, to its end.
        private static func relay(
            _ program: Int32, _ path: String, _ onCommand: OnCommand, _ onAnswer: OnAnswer, isForOne: Bool
        ) {
            let tpm = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer {
                close(tpm)
                close(program)
            }
            guard with(path, { connect(tpm, $0, $1) }) == 0 else { return }
            while var command = message(from: program) {
                var answer = onCommand(&command)
                if answer == nil {
                    guard write(command, to: tpm), var given = message(from: tpm) else { return }
                    onAnswer(command, &given)
                    answer = given
                }
                guard let answer, write(answer, to: program), !isForOne else { return }
            }
        }

        private static func write(_ message: [UInt8], to descriptor: Int32) -> Bool {
            send(descriptor, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
        }

        /// A command or an answer: tag 2, length of all 4, code 4.
        private static func message(from descriptor: Int32) -> [UInt8]? {
            var bytes: [UInt8] = []
            var length = 10
            while bytes.count < length {
                var part = [UInt8](repeating: 0, count: length - bytes.count)
                let count = recv(descriptor, &part, part.count, 0)
                guard count > 0 else { return nil }
                bytes += part[..<count]
                if bytes.count >= 6 { length = max(10, bytes[2..<6].reduce(0) { $0 << 8 | Int($1) }) }
            }
            return bytes
        }
    }
#endif
