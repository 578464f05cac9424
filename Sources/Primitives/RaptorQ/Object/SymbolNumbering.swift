/// How the ids of repair symbols are counted. Source symbols have the ids 0..<K in both.
///
/// A symbol read in the wrong numbering gives wrong data without any error, unless a spare symbol is there to compare.
/// Where K is a value of the table (``BlockParameters/isUnpadded``) both are the same.
///
/// Source: `raptorq-qr` sections 7, 9 and 12.3.
public enum SymbolNumbering: Hashable, Sendable, CaseIterable {
    /// Repair symbol j has the id K + j, as RFC 6330 says.
    case rfc6330
    /// Repair symbol j has the id K' + j, as Polkadot Vault counts; K..<K' are never sent.
    case vault

    /// ISI: the id with the padding counted in, or nil for an id that belongs to padding.
    func internalID(_ id: UInt32, _ parameters: BlockParameters) -> UInt32? {
        let (plain, extended) = (UInt32(parameters.sourceSymbolCount), UInt32(parameters.extendedSymbolCount))
        guard id >= plain else { return id }
        switch self {
        case .rfc6330: return id + (extended - plain)
        case .vault: return id >= extended ? id : nil
        }
    }

    /// The id of the first repair symbol of a block.
    package func firstRepairID(_ parameters: BlockParameters) -> UInt32 {
        UInt32(self == .rfc6330 ? parameters.sourceSymbolCount : parameters.extendedSymbolCount)
    }
}
