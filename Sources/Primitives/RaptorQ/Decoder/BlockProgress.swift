/// How far a source block is.
public struct BlockProgress: Hashable, Sendable {
    /// Symbols that came, each counted once.
    public let distinct: Int
    /// K: no fewer symbols determine the block.
    public let sourceSymbolCount: Int
    /// Symbols whose ids are padding in the present numbering. In a stream that counts as the `vault` numbering does
    /// there are none.
    package let paddingIDs: Int
    /// Whether all its symbols are known.
    public let isRecovered: Bool
    /// Whether the symbols contradict each other in the present numbering.
    package let isConflicting: Bool
    /// Whether a symbol that was not needed has confirmed the result.
    package let isChecked: Bool
}
