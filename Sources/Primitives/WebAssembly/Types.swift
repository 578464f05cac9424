/// A type of values (WebAssembly core specification 1.0, section 2.3.1).
public enum ValueType: UInt8, Sendable {
    /// An integer of 32 bits.
    case i32 = 0x7f
    /// An integer of 64 bits.
    case i64 = 0x7e
    /// A number of IEEE 754 in 32 bits.
    case f32 = 0x7d
    /// A number of IEEE 754 in 64 bits.
    case f64 = 0x7c
}

/// What a function takes and returns.
public struct FunctionType: Hashable, Sendable {
    /// The types of what it takes.
    public let parameters: [ValueType]
    /// The types of what it returns; more than one since multi-value.
    public let results: [ValueType]

    /// - Parameters:
    ///   - parameters: the types of what it takes.
    ///   - results: the types of what it returns.
    public init(_ parameters: [ValueType] = [], to results: [ValueType] = []) {
        self.parameters = parameters
        self.results = results
    }
}

/// Sizes of a memory, in pages of 64 KiB, or of a table, in entries.
public struct SizeLimits: Hashable, Sendable {
    /// The size at the start.
    public let minimum: UInt32
    /// How far it may grow; nil where the module does not say.
    public let maximum: UInt32?
}

/// What a module imports.
public struct Import: Hashable, Sendable {
    /// The two names by which it is asked for.
    public let module, name: String
    /// Its kind and type.
    public let type: ExternalType
}

/// The kind and type of an import.
public enum ExternalType: Hashable, Sendable {
    /// A function.
    case function(FunctionType)
    /// A table of functions.
    case table(SizeLimits)
    /// A memory.
    case memory(SizeLimits)
    /// A global.
    case global(ValueType, isMutable: Bool)
}

/// The kind of an export.
package enum ExportKind: UInt8, Sendable {
    /// A function.
    case function
    /// A table of functions.
    case table
    /// A memory.
    case memory
    /// A global.
    case global
}

/// A global of a module, or of its host.
struct Global: Hashable, Sendable {
    let type: ValueType
    let isMutable: Bool
    /// Nil for one that is imported.
    let initial: ConstantExpression?
}

/// What a global or an offset begins with.
enum ConstantExpression: Hashable, Sendable {
    /// The bits of a value.
    case value(UInt64)
    /// The value of an imported global that does not change.
    case global(Int)
}

/// Functions for a table.
struct ElementSegment: Hashable, Sendable {
    /// Where they are put at the start; nil for a passive segment.
    let offset: ConstantExpression?
    let functions: [UInt32]
}

/// Bytes for the memory.
struct DataSegment: Hashable, Sendable {
    /// Where they are put at the start; nil for a passive segment.
    let offset: ConstantExpression?
    /// Where they stand in the module.
    let range: Range<Int>
}
