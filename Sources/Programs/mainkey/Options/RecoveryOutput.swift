import Console
import Foundation
import MainKey
import SecretMemory

/// Where a new recovery code is shown: on the terminal, or on a descriptor that the caller opened. Never on standard output by
/// itself, which may be a file.
enum RecoveryOutput {
    case terminal(Terminal)
    case descriptor(Int32)

    /// Settled before a code exists.
    init(descriptor: Int32?) throws {
        if let descriptor {
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
                throw InteractionError.descriptor(option: "--recovery-fd", reason: "it is not open for writing")
            }
            self = .descriptor(descriptor)
        } else if let terminal = Terminal() {
            self = .terminal(terminal)
        } else {
            throw InteractionError.noTerminalForSecret(prompt: "A place for the recovery code", option: "--recovery-fd")
        }
    }

    func show(_ code: RecoveryCode) throws {
        let grouped = try code.grouped()
        switch self {
        case .terminal(let terminal):
            terminal.write("\nThe recovery code. Write it down and keep it safe; it is not shown again.\n\n    ")
            terminal.write(secret: grouped)
            terminal.write("\n\n")
        case .descriptor(let descriptor):
            try SecretOutput.write(grouped, to: descriptor, option: "--recovery-fd")
            let lineBreak = try SecretBytes(count: 1) { $0[0] = 0x0a }
            try SecretOutput.write(lineBreak, to: descriptor, option: "--recovery-fd")
        }
    }
}
