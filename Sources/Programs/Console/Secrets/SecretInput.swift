import Files
import SecretMemory

/// Where a secret is taken from: the terminal without echo, or a descriptor that the caller opened. Never an argument
/// or the environment, which other processes can read.
package enum SecretInput {
    /// Bytes that a PIN, passphrase or recovery phrase may have at the most.
    package static let limit = 1024

    /// - Parameters:
    ///   - descriptor: read up to its first line break, of Unix or of Windows, or its end; nil asks on the terminal.
    ///   - prompt: what to ask, without colon.
    ///   - option: the option that gives a descriptor, named in the message if there is no terminal.
    ///   - limit: bytes at the most.
    package static func read(
        descriptor: InputDescriptor?, prompt: String, option: String, limit: Int = SecretInput.limit
    ) throws -> SecretBytes {
        if let descriptor { return try read(from: descriptor.number, option: option, limit: limit).secret }
        guard let terminal = Terminal() else {
            throw InteractionError.noTerminalForSecret(prompt: prompt, option: option)
        }
        return try ask(prompt, on: terminal, limit: limit)
    }

    /// The same where nothing is no answer: as a PIN it would only cost an attempt.
    package static func readFilled(
        descriptor: InputDescriptor?, prompt: String, option: String, limit: Int = SecretInput.limit
    ) throws -> SecretBytes {
        let secret = try read(descriptor: descriptor, prompt: prompt, option: option, limit: limit)
        guard secret.count > 0 else { throw descriptor == nil ? .cancelled : InteractionError.noLine(option) }
        return secret
    }

    /// The same where nothing is an answer of its own: of a descriptor an empty line, and not its end.
    package static func readAnswer(descriptor: InputDescriptor?, prompt: String, option: String) throws -> SecretBytes {
        guard let descriptor else { return try read(descriptor: nil, prompt: prompt, option: option) }
        let (secret, isLine) = try read(from: descriptor.number, option: option, limit: limit)
        guard isLine || secret.count > 0 else { throw InteractionError.noLine(option) }
        return secret
    }

    /// Asks twice for a new secret on the terminal; from a descriptor it is taken once. It is not empty.
    package static func readNew(descriptor: InputDescriptor?, prompt: String, option: String) throws -> SecretBytes {
        guard descriptor == nil else { return try readFilled(descriptor: descriptor, prompt: prompt, option: option) }
        let first = try read(descriptor: nil, prompt: prompt, option: option)
        guard first.count > 0 else { throw InteractionError.nothingTyped }
        let second = try read(descriptor: nil, prompt: "\(prompt) again", option: option)
        guard first == second else { throw InteractionError.secretsDiffer }
        return first
    }

    /// - Returns: also whether a line break ended it.
    private static func read(
        from descriptor: Int32, option: String, limit: Int
    ) throws -> (secret: SecretBytes, isLine: Bool) {
        let file = OpenFile(borrowing: FileDescriptor(rawValue: descriptor), path: FilePath(option))
        var isLine = false
        let secret = try collect(atMost: limit) { buffer in
            var count = 0
            while true {
                guard count < buffer.count else { throw InteractionError.secretTooLong(limit: limit) }
                let place = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + 1])
                do throws(FileError) {
                    // Byte by byte: what stands behind the line is another option's.
                    if try file.read(into: place) == 0 { break }
                } catch {
                    throw InteractionError.unreadable(option: option, reason: "\(error.reason)")
                }
                if buffer[count] == 0x0a {
                    isLine = true
                    if count > 0, buffer[count - 1] == 0x0d { count -= 1 }
                    break
                }
                count += 1
            }
            guard count <= limit else { throw InteractionError.secretTooLong(limit: limit) }
            return count
        }
        return (secret, isLine)
    }

    private static func ask(_ prompt: String, on terminal: Terminal, limit: Int) throws -> SecretBytes {
        defer { terminal.write("\n") }
        return try terminal.withoutEcho {
            // What is typed before the echo is off would be seen, and is thrown away: who answers at once is heard.
            terminal.write("\(prompt): ")
            return try collect(atMost: limit) { buffer in
                var line = TypedLine(in: UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]))
                while let byte = terminal.keyOfText(), try !line.type(byte) {}
                return line.count
            }
        }
    }

    /// Collects into locked memory, where there is room for a line break behind the limit, and returns what was
    /// collected, at its own length.
    private static func collect(
        atMost limit: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> SecretBytes {
        var count = 0
        let whole = try SecretBytes(count: limit + 2, attempting: { count = try fill($0) })
        return try whole.withUnsafeBytes { (whole) throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: whole[..<count]))
        }
    }
}
