import CLinux
import Files
import SecretMemory

/// Writes a secret out of locked memory, without a copy on the way.
package enum SecretOutput {
    /// Writes a secret and a line break, brings them to the disk where there is one, and closes the descriptor. What
    /// returns has been taken in full.
    ///
    /// - Parameter option: the option that gave the descriptor, named in the message if it cannot be written.
    package static func deliver(_ secret: SecretBytes, to descriptor: OutputDescriptor, option: String) throws {
        let taken = FileDescriptor(rawValue: descriptor.number)
        try explaining(option) {
            let file = OpenFile(borrowing: taken, path: FilePath(option))
            try write([secret], to: file)
            try synchronise(file)
            try taken.close()
        }
    }

    /// Writes parts of a line and a line break, and leaves the descriptor open for more.
    ///
    /// - Parameter option: the option that gave the descriptor, named in the message if it cannot be written.
    package static func writeLine(_ parts: [SecretBytes], to descriptor: OutputDescriptor, option: String) throws {
        try explaining(option) {
            let file = OpenFile(
                borrowing: FileDescriptor(rawValue: descriptor.number), path: FilePath(option))
            try write(parts, to: file)
        }
    }

    private static func write(_ parts: [SecretBytes], to file: OpenFile) throws {
        let lineBreak = try SecretBytes(count: 1) { $0[0] = 0x0a }
        for part in parts + [lineBreak] { try part.withUnsafeBytes { try file.write($0) } }
    }

    private static func explaining(_ option: String, _ body: () throws -> Void) throws {
        do { try body() } catch let error as FileError {
            throw InteractionError.unwritable(option: option, reason: "\(error.reason)")
        } catch let error as Errno {
            throw InteractionError.unwritable(option: option, reason: "\(error)")
        }
    }

    private static func synchronise(_ file: OpenFile) throws {
        do { try file.synchronise() } catch {
            // What has no disk, like a pipe, cannot be synced.
            let harmless: [Errno?] = [.invalidArgument, .readOnlyFileSystem, .notSupported]
            guard harmless.contains(error.errno) else { throw error }
        }
    }
}

extension Terminal {
    /// - Throws: ``InteractionError/terminalLost`` if not all of it reached the terminal, or a signal has taken it.
    package func write(secret: SecretBytes) throws(InteractionError) {
        guard clinux_terminal_is_given_up() == 0 else { throw .terminalLost }
        do { try secret.withUnsafeBytes { try file.write($0) } } catch { throw .terminalLost }
    }
}
