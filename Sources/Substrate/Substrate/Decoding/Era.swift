import SCALE

/// How long a transaction stays valid (`signer-wire` section 3.3).
public enum Era: Hashable, Sendable {
    /// Valid for ever.
    case immortal
    /// Valid for `period` blocks from the last block, at or before signing, whose number modulo `period` is `phase`.
    ///
    /// `period` is a power of two from 4 to 65,536, `phase` is below it.
    case mortal(phase: UInt64, period: UInt64)

    /// Reads one or two bytes.
    ///
    /// - Throws: ``DecodingError/era(offset:)`` for a period below 4 or a phase outside it;
    ///   ``DecodingError/dataTooShort(offset:)`` when the bytes end.
    package init(from decoder: inout ScaleDecoder) throws(DecodingError) {
        let offset = decoder.position
        guard let first = try? decoder.uint8() else { throw .dataTooShort(offset: offset) }
        if first == 0 {
            self = .immortal
            return
        }
        guard let second = try? decoder.uint8() else { throw .dataTooShort(offset: offset + 1) }
        let value = UInt64(first) | UInt64(second) << 8
        let period: UInt64 = 2 << (value & 15)
        let phase = (value >> 4) * max(period >> 12, 1)
        guard period >= 4, phase < period else { throw .era(offset: offset) }
        self = .mortal(phase: phase, period: period)
    }

    /// One or two bytes. The phase is rounded down to what the encoding can express (a step of `period` / 4096).
    package var encoded: [UInt8] {
        guard case .mortal(let phase, let period) = self else { return [0] }
        let exponent = min(max(63 - period.leadingZeroBitCount - 1, 1), 15)
        let value = UInt64(exponent) | (phase / max(period >> 12, 1)) << 4
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
