/// How a process ended, as `wait` says it.
public enum WaitStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)

    /// - Parameter rawValue: of the kernel.
    /// - Returns: nil for a process that has stopped or goes on, and for what no process can say.
    package init?(rawValue: Int32) {
        let (signal, code) = (rawValue & 0x7f, rawValue >> 8)
        switch signal {
        case 0:
            guard (0...255).contains(code), rawValue & 0x80 == 0 else { return nil }
            self = .exited(code)
        case 0x7f: return nil
        default:
            guard code == 0 else { return nil }
            self = .signalled(signal)
        }
    }

    /// The number of the status, without the bit that tells of a core dump: there is none.
    package var rawValue: Int32 {
        switch self {
        case .exited(let code): code << 8
        case .signalled(let signal): signal
        }
    }
}
