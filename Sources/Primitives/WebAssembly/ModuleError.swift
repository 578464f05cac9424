/// Why bytes are no module that is run, and where.
public struct ModuleError: Error, Hashable, Sendable {
    /// The byte of the module at which it shows, from 0.
    public let offset: Int
    /// What is wrong.
    public let fault: ModuleFault
}

/// What is wrong in a module.
public enum ModuleFault: Hashable, Sendable {
    /// The bytes do not begin with the magic of WebAssembly.
    case notWebAssembly
    /// The bytes are of another version than 1.
    case version(UInt32)
    /// The module, or the part of it that is read, ends too early.
    case truncated
    /// The bytes do not follow the binary format.
    case malformed(String)
    /// The module uses what is beyond version 1 and the additions that are taken.
    case unsupported(String)
    /// An index of nothing.
    case unknown(kind: String, index: UInt32)
    /// There is more of something than is read.
    case tooMany(kind: String, limit: Int)
    /// A value of another type is on the stack, or none; nil stands for none.
    case operand(expected: ValueType, found: ValueType?)
    /// Another rule of validation is broken.
    case invalid(String)
}

extension ModuleError: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String { "at byte \(offset): \(fault)" }
}

extension ModuleFault: CustomStringConvertible {
    /// What is wrong, as a part of a sentence.
    public var description: String {
        switch self {
        case .notWebAssembly: "no WebAssembly: the first four bytes are not 00 61 73 6d"
        case .version(let version): "WebAssembly of version \(version); version 1 is read"
        case .truncated: "the module, or this part of it, ends too early"
        case .malformed(let what): what
        case .unsupported(let what): "\(what) is not supported"
        case .unknown(let kind, let index): "there is no \(kind) \(index)"
        case .tooMany(let kind, let limit): "more \(kind) than the \(limit) that are read"
        case .operand(let expected, let found):
            "\(expected) is expected on the stack, " + (found.map { "\($0) is there" } ?? "nothing is there")
        case .invalid(let what): what
        }
    }
}
