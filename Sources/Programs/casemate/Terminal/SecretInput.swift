import Console
import Foundation
import SecretMemory

/// Where a secret is taken from: the terminal without echo, or a descriptor that the caller opened. Never an argument or the
/// environment, which other processes can read.
enum SecretInput {
    /// Bytes that a PIN, passphrase or recovery phrase may have at the most.
    static let limit = 1024

    /// - Parameters:
    ///   - descriptor: read up to its first line break or end; nil asks on the terminal.
    ///   - prompt: what to ask, without colon.
    ///   - option: the option that gives a descriptor, named in the message if there is no terminal.
    static func read(descriptor: Int32?, prompt: String, option: String) throws -> SecretBytes {
        if let descriptor { return try read(from: descriptor, option: option) }
        guard let terminal = Terminal() else { throw Failure.noTerminalForSecret(prompt: prompt, option: option) }
        return try ask(prompt, on: terminal)
    }

    /// Asks twice for a new secret on the terminal; from a descriptor it is taken once.
    static func readNew(descriptor: Int32?, prompt: String, option: String) throws -> SecretBytes {
        let first = try read(descriptor: descriptor, prompt: prompt, option: option)
        guard descriptor == nil else { return first }
        let second = try read(descriptor: nil, prompt: "\(prompt) again", option: option)
        guard first == second else { throw Failure.secretsDiffer }
        return first
    }

    private static func read(from descriptor: Int32, option: String) throws -> SecretBytes {
        try collect { buffer in
            var count = 0
            while true {
                guard count < buffer.count else { throw Failure.secretTooLong(limit: limit) }
                let got = Foundation.read(descriptor, buffer.baseAddress! + count, 1)
                if got < 0 && errno == EINTR { continue }
                guard got >= 0 else {
                    throw Failure.descriptor(option: option, reason: String(cString: strerror(errno)))
                }
                if got == 0 || buffer[count] == 0x0a { break }
                count += 1
            }
            return count
        }
    }

    private static func ask(_ prompt: String, on terminal: Terminal) throws -> SecretBytes {
        terminal.write("\(prompt): ")
        defer { terminal.write("\n") }
        return try terminal.withoutEcho {
            try collect { buffer in
                var line = TypedLine(in: buffer)
                while let byte = terminal.byte(), try !line.type(byte) {}
                return line.count
            }
        }
    }

    /// Collects into locked memory and returns what was collected, at its own length.
    private static func collect(_ fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> SecretBytes {
        var count = 0
        let whole = try SecretBytes(count: limit + 1, attempting: { count = try fill($0) })
        return try whole.withUnsafeBytes { (whole) throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: whole[..<count]))
        }
    }
}
