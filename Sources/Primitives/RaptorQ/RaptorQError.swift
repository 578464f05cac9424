/// Why an object cannot be described, encoded or decoded. Every case says which value and what would have been
/// accepted.
public enum RaptorQError: Error, Hashable, Sendable {
    /// Object transmission information has 12 bytes.
    case informationLength(found: Int)
    /// A payload id has 4 bytes.
    case payloadIDLength(found: Int)
    /// The size of an object in bytes is out of range.
    case objectSize(found: Int, maximum: Int)
    /// The size of a symbol in bytes is out of range, or not a multiple of the alignment.
    case symbolSize(found: Int, alignment: Int)
    /// The number of source blocks is out of range: 1 to 255, and no more than there are symbols.
    case sourceBlockCount(found: Int, maximum: Int)
    /// The number of sub-blocks is out of range: 1 to one for each aligned unit of a symbol.
    case subBlockCount(found: Int, maximum: Int)
    /// A source block would have more symbols than the code allows, or none.
    case sourceSymbolCount(found: Int, maximum: Int)
    /// No parameters fit a payload of this size and this much working memory.
    case payloadSize(found: Int, workingMemory: Int)
    /// The bytes to encode are not as many as the parameters say.
    case objectLength(found: Int, expected: Int)
    /// The object has no source block of this number.
    case blockOutOfRange(found: Int, count: Int)
    /// A symbol id has 24 bits.
    case symbolIDOutOfRange(found: UInt32)
    /// In the `vault` numbering this id belongs to padding, which is never sent.
    case paddingID(found: UInt32, padding: Range<UInt32>)
    /// A symbol does not have the object's symbol size.
    case symbolLength(found: Int, expected: Int)
    /// The symbols of a block contradict each other: they come from different objects, or have another numbering.
    case conflictingSymbols(block: Int)
    /// A block cannot be decoded yet.
    case incomplete(block: Int, distinct: Int, sourceSymbols: Int)
}

extension RaptorQError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .informationLength(let found): "Object transmission information has 12 bytes, not \(found)."
        case .payloadIDLength(let found): "A payload id has 4 bytes, not \(found)."
        case .objectSize(let found, let maximum):
            "An object has 1 to \(maximum) bytes, not \(found)."
        case .symbolSize(let found, let alignment):
            "A symbol has 1 to 65535 bytes, a multiple of the alignment, which is 1 to 255; found \(found) bytes and an "
                + "alignment of \(alignment)."
        case .sourceBlockCount(let found, let maximum):
            "This object is cut into 1 to \(maximum) source blocks, not \(found). Larger symbols need fewer blocks."
        case .subBlockCount(let found, let maximum):
            "Symbols of this size are cut into 1 to \(maximum) sub-symbols, not \(found)."
        case .sourceSymbolCount(let found, let maximum):
            "A source block has 1 to \(maximum) symbols, not \(found). Use larger symbols or more source blocks."
        case .payloadSize(let found, let memory):
            "No symbol size fits a payload of \(found) bytes and \(memory) bytes of working memory. Allow larger payloads."
        case .objectLength(let found, let expected):
            "The parameters describe an object of \(expected) bytes; \(found) were given."
        case .blockOutOfRange(let found, let count):
            "There is no source block \(found); the object has \(count), counted from 0."
        case .symbolIDOutOfRange(let found): "A symbol id is 0 to 16777215, not \(found)."
        case .paddingID(let found, let padding):
            "Symbol id \(found) is padding in the vault numbering; repair symbols begin at \(padding.upperBound)."
        case .symbolLength(let found, let expected): "A symbol of this object has \(expected) bytes, not \(found)."
        case .conflictingSymbols(let block):
            "The symbols of source block \(block) contradict each other: they come from different objects, or their repair "
                + "symbols have the other numbering. Solve with the other numbering, or start again."
        case .incomplete(let block, let distinct, let needed):
            "Source block \(block) cannot be decoded yet: \(distinct) of at least \(needed) symbols have arrived."
        }
    }
}
