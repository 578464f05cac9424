/// Why modules are no readable symbol.
public enum QRDecodingError: Error, Equatable, Sendable {
    /// So many modules are no square of 17 + 4·v for a version v of 1 to 40.
    case size(modules: Int)
    /// Neither copy of the format information is within three bits of a valid one.
    case format
    /// A block has more wrong code words than its error correction repairs.
    case uncorrectable(block: Int)
    /// The first blocks all have: the modules are those of two symbols, or of none.
    case hopeless
    /// The code words are right, but what they say breaks the rules; `bit` counts from the start of the data.
    case segment(SegmentFault, bit: Int)

    /// What is wrong with a segment.
    public enum SegmentFault: Equatable, Sendable {
        /// The symbol ends before the segment does.
        case cut
        /// No mode has these four bits.
        case mode(Int)
        /// A group of digits, a pair of letters, or an ECI designator has a value that nothing stands for.
        case value(Int)
        /// The symbol has no segment at all.
        case missing
    }
}

extension QRDecodingError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .size(let modules): "No QR code has \(modules) modules."
        case .format: "Level and mask of the QR code are unreadable."
        case .uncorrectable(let block): "Block \(block) of the QR code is damaged beyond repair."
        case .hopeless: "The QR code is damaged everywhere."
        case .segment(.cut, let bit): "The QR code ends within its data, at bit \(bit)."
        case .segment(.mode(let mode), let bit): "The QR code has the unknown mode \(mode) at bit \(bit)."
        case .segment(.value(let value), let bit): "The QR code has the meaningless value \(value) at bit \(bit)."
        case .segment(.missing, _): "The QR code is empty."
        }
    }
}
