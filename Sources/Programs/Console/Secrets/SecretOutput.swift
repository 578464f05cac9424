import SecretMemory

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a secret out of locked memory, without a copy on the way.
package enum SecretOutput {
    /// Writes a secret and a line break, brings them to the disk where there is one, and closes the descriptor. What
    /// returns has been taken in full.
    ///
    /// - Parameter option: the option that gave the descriptor, named in the message if it cannot be written.
    package static func deliver(_ secret: SecretBytes, to descriptor: OutputDescriptor, option: String) throws {
        let number = descriptor.number
        let isTaken = try withoutBrokenPipeSignal {
            let lineBreak = try SecretBytes(count: 1) { $0[0] = 0x0a }
            return [secret, lineBreak].allSatisfy { part in
                part.withUnsafeBytes { Descriptor.writeAll($0, to: number) }
            }
        }
        // What has no disk, like a pipe, cannot be synced.
        guard isTaken, fsync(number) == 0 || [EINVAL, EROFS, ENOTSUP].contains(errno), close(number) == 0 else {
            throw InteractionError.unwritable(option: option, reason: String(cString: strerror(errno)))
        }
    }

    /// A reader that went away is an error of the one who writes, and not the end of the process without a word.
    private static func withoutBrokenPipeSignal<R>(_ body: () throws -> R) rethrows -> R {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        return try body()
    }
}

extension Terminal {
    /// - Throws: ``InteractionError/terminalLost`` if not all of it reached the terminal.
    package func write(secret: SecretBytes) throws(InteractionError) {
        guard secret.withUnsafeBytes({ Descriptor.writeAll($0, to: descriptor) }) else { throw .terminalLost }
    }
}
