import TextForms

/// The part of a policy that is invalid.
public enum PolicyError: Error, Hashable, Sendable {
    case memory(UInt64)
    case cpu(UInt64)
    case stack(UInt64)
    case openFiles(UInt64)
    case processes(UInt64)
    case pendingSignals(UInt64)
    case capability(String)
    case frame(Int)
    case reply(Int)
    case workers(Int, Int)
    case inFlight(Int)
    case queue(Int)
    case credit(Int)
    case lifetime
    case duration(String)
    /// A layer that nothing runs without.
    case indispensable(Set<Layer>)
}

extension PolicyError: CustomStringConvertible {
    /// Which part of the policy cannot be, and what to write instead.
    public var description: String {
        switch self {
        case .memory(let bytes): "A memory limit of \(bytes) bytes. Give 16 MiB to 1 TiB."
        case .cpu(let seconds): "A processor limit of \(seconds) s. Give 1 to 86400."
        case .stack(let bytes): "A stack of \(bytes) bytes. Give 64 KiB up to the memory limit."
        case .openFiles(let count): "A limit of \(count) descriptors. Give 5 to 199."
        case .processes(let count): "A limit of \(count) processes. Give 1 to 65535."
        case .pendingSignals(let count): "A limit of \(count) signals that wait. Give 0 to 65535."
        case .capability(let name): "The capability \(ScreenText.escape(name)) has a value that cannot be."
        case .frame(let bytes): "Frames of \(bytes) bytes. Give 4 KiB to 64 MiB."
        case .reply(let bytes): "Replies of \(bytes) bytes. Give 1 byte up to the frame limit."
        case .workers(let least, let most):
            "\(least) to \(most) workers. Give 0 ≤ least ≤ most, and 1 to 65535 as most."
        case .inFlight(let count): "\(count) requests at a time. Give 1 to 1024."
        case .queue(let count): "A queue of \(count) calls. Give 0 or more."
        case .credit(let items): "A stream credit of \(items) items. Give 1 to 65535."
        case .lifetime: "A worker's lifetime without requests or time. Give at least 1 request and more than 0 s."
        case .duration(let name): "\(name) is negative. Give 0 or more."
        case .indispensable(let layers):
            "Nothing runs without \(layers.map(\.rawValue).sorted().joined(separator: ", ")). Do not allow them to be missing."
        }
    }
}
