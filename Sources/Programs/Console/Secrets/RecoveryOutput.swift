import SecretMemory

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where a new recovery code is shown: on the terminal, or on a descriptor that the caller opened. Never on standard output by
/// itself, which may be a file.
package enum RecoveryOutput {
    case terminal(Terminal)
    case descriptor(Int32)

    private static let option = "--recovery-fd"

    /// Settled before a code exists.
    ///
    /// - Parameter descriptor: nil for the terminal.
    package init(descriptor: Int32?) throws {
        if let descriptor {
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
                throw InteractionError.descriptor(option: Self.option, reason: "it is not open for writing")
            }
            self = .descriptor(descriptor)
        } else if let terminal = Terminal() {
            self = .terminal(terminal)
        } else {
            throw InteractionError.noTerminalForSecret(prompt: "A place for the recovery code", option: Self.option)
        }
    }

    /// - Parameter code: as a person writes it down.
    package func show(_ code: SecretBytes) throws {
        switch self {
        case .terminal(let terminal):
            terminal.write(
                "\nWrite this recovery code down and keep it safe, apart from this machine. It is shown only now.\n\n    "
            )
            terminal.write(secret: code)
            terminal.write("\n\n")
        case .descriptor(let descriptor):
            try SecretOutput.write(code, to: descriptor, option: Self.option)
            let lineBreak = try SecretBytes(count: 1) { $0[0] = 0x0a }
            try SecretOutput.write(lineBreak, to: descriptor, option: Self.option)
        }
    }
}
