/// Why a run ended without a result.
public enum Trap: Error, Hashable, Sendable {
    /// The instruction `unreachable`: the module gave up.
    case unreachable
    /// An integer was divided by zero.
    case divisionByZero
    /// A result does not fit into its type.
    case integerOverflow
    /// What is not a number cannot become an integer.
    case invalidConversion
    /// An access outside the memory.
    case memoryOutOfBounds
    /// An access outside a table or a segment for it.
    case tableOutOfBounds
    /// A call through an entry of a table that holds no function.
    case uninitializedElement
    /// A call through a table of a function of another type.
    case indirectCallTypeMismatch
    /// Calls are nested too deep, or their values do not fit.
    case callStackExhausted
    /// The instructions that were allowed are used up.
    case outOfFuel
    /// The host has no such function.
    case noSuchImport(module: String, name: String)
    /// The host refused a call, in its words.
    case host(String)
}

extension Trap: CustomStringConvertible {
    /// What happened, as a part of a sentence.
    public var description: String {
        switch self {
        case .unreachable: "it gave up by itself (unreachable)"
        case .divisionByZero: "it divided by zero"
        case .integerOverflow: "the result of a calculation does not fit"
        case .invalidConversion: "what is not a number was to become an integer"
        case .memoryOutOfBounds: "it reached outside its memory"
        case .tableOutOfBounds: "it reached outside its table"
        case .uninitializedElement: "it called an empty entry of its table"
        case .indirectCallTypeMismatch: "it called a function of another type through its table"
        case .callStackExhausted: "its calls are nested too deep"
        case .outOfFuel: "it used up the instructions that it was given"
        case .noSuchImport(let module, let name): "it asked for \(module).\(name), which is not given"
        case .host(let reason): reason
        }
    }
}
