#if canImport(CTSS2)
    import Crypto
    import Foundation
    import Glibc
    import TestSupport

    @testable import HardwareKeys

    /// Who sits on the bus between a program and its TPM: passes everything on, and changes what an index is said to
    /// hold, with the code of a session that has no key. Ends with this value.
    final class TPMRelay: Sendable {
        private let listener: Int32
        private let path: String

        var address: TPMAddress { .unixSocket(path: path) }

        init(before simulator: SoftwareTPM) throws {
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            (self.listener, path) = (listener, simulator.folder.appending(path: "relay.sock").path)
            guard Self.with(path, { bind(listener, $0, $1) }) == 0, listen(listener, 4) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            let tpm = simulator.socket.path
            symlink(tpm + ".ctrl", path + ".ctrl")
            Thread.detachNewThread {
                while case let program = accept(listener, nil, nil), program >= 0 { Self.relay(program, tpm) }
                close(listener)
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

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
        private static func relay(_ program: Int32, _ path: String) {
            let tpm = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer {
                close(tpm)
                close(program)
            }
            guard with(path, { connect(tpm, $0, $1) }) == 0 else { return }
            while let command = message(from: program) {
                guard send(tpm, command, command.count, Int32(MSG_NOSIGNAL)) == command.count,
                    var answer = message(from: tpm)
                else { return }
                if command[6..<10] == [0, 0, 1, 0x4e], answer[6..<10] == [0, 0, 0, 0] { forge(&answer, to: command) }
                guard send(program, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
            }
        }

        /// Changes the answer to TPM2_NV_Read: head 10, size of parameters 4, of the content 2, content 8; then of the
        /// first session nonce 2 + 32, attributes 1, code 2 + 32. The command has head 10, handles 8, size 4, and of
        /// that session handle 4, nonce 2 + 32.
        private static func forge(_ answer: inout [UInt8], to command: [UInt8]) {
            guard answer.count >= 93, command.count >= 60 else { return }
            answer[23] ^= 1
            let parameters = SHA256.hash(data: answer[6..<10] + command[6..<10] + answer[14..<24])
            let signed = Array(parameters) + answer[26..<58] + command[28..<60] + answer[58..<59]
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: [UInt8]()))
            answer.replaceSubrange(61..<93, with: Array(code))
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
