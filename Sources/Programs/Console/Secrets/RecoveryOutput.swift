import SecretMemory

/// Where a new recovery code is shown: on the terminal, or on a descriptor that the caller opened. Never on standard
/// output by itself, which may be a file.
package enum RecoveryOutput {
    case terminal(Terminal)
    case descriptor(OutputDescriptor)

    private static let option = "--recovery-fd"

    /// Settles where the code is shown, before there is one.
    ///
    /// - Parameter descriptor: nil for the terminal.
    package init(descriptor: OutputDescriptor?) throws {
        if let descriptor {
            self = .descriptor(descriptor)
        } else if let terminal = Terminal() {
            self = .terminal(terminal)
        } else {
            throw InteractionError.noTerminalForOutput(what: "A place for the recovery code", option: Self.option)
        }
    }

    /// Returns when the code was seen: written in full, or written down by the person. Only then may it become valid.
    ///
    /// - Parameter code: as a person writes it down.
    package func show(_ code: SecretBytes) throws {
        switch self {
        case .terminal(let terminal):
            try SecretScreen(on: terminal).show(
                code,
                heading:
                    "Write this recovery code down and keep it safe, apart from this machine. It is shown only now.",
                until: .confirmation)
        case .descriptor(let descriptor):
            try SecretOutput.deliver(code, to: descriptor, option: Self.option)
        }
    }
}
