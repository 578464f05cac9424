/// Numbers of IEEE 754 as the core specification 1.0 (section 4.3.3) wants them, and the same on every machine: what
/// is not a number comes out in its canonical form.
enum FloatOperations {
    /// Computes an instruction whose operands are floats, or that makes one.
    ///
    /// - Returns: the bits of the result.
    static func compute(_ operation: Operation, of first: UInt64, and second: UInt64) throws(Trap) -> UInt64 {
        let (narrow, wide) = (Float(bits: first), Double(bitPattern: first))
        switch operation {
        case .f32Eq...(.f32Ge): return compare(operation, from: .f32Eq, narrow, with: Float(bits: second))
        case .f64Eq...(.f64Ge): return compare(operation, from: .f64Eq, wide, with: Double(bitPattern: second))
        case .f32Abs: return first & 0x7fff_ffff
        case .f32Neg: return first ^ 0x8000_0000
        case .f32Copysign: return first & 0x7fff_ffff | second & 0x8000_0000
        case .f64Abs: return first & ~(1 << 63)
        case .f64Neg: return first ^ 1 << 63
        case .f64Copysign: return first & ~(1 << 63) | second & 1 << 63
        case .f32Ceil...(.f32Max): return arithmetic(operation, from: .f32Ceil, narrow, with: Float(bits: second)).bits
        case .f64Ceil...(.f64Max):
            return arithmetic(operation, from: .f64Ceil, wide, with: Double(bitPattern: second)).bits
        case .i32TruncF32S...(.i32TruncF64U), .i64TruncF32S...(.i64TruncF64U):
            return try truncate(operation, narrow: narrow, wide: wide)
        case .i32TruncSatF32S...(.i64TruncSatF64U): return saturate(operation, narrow: narrow, wide: wide)
        default: return convert(operation, first)
        }
    }

    private static func compare<Number: BinaryFloatingPoint>(
        _ operation: Operation, from base: Operation, _ first: Number, with second: Number
    ) -> UInt64 {
        let holds =
            switch operation.rawValue - base.rawValue {
            case 0: first == second
            case 1: first != second
            case 2: first < second
            case 3: first > second
            case 4: first <= second
            default: first >= second
            }
        return holds ? 1 : 0
    }

    /// From `ceil` to `max`, in the order of the binary format.
    private static func arithmetic<Number: BinaryFloatingPoint>(
        _ operation: Operation, from base: Operation, _ first: Number, with second: Number
    ) -> Number {
        switch operation.rawValue - base.rawValue {
        case 0: first.rounded(.up)
        case 1: first.rounded(.down)
        case 2: first.rounded(.towardZero)
        case 3: first.rounded(.toNearestOrEven)
        case 4: first.squareRoot()
        case 5: first + second
        case 6: first - second
        case 7: first * second
        case 8: first / second
        case 9: least(first, or: second)
        default: -least(-first, or: -second)
        }
    }

    /// The smaller one; what is not a number wins, and the negative zero is smaller.
    private static func least<Number: BinaryFloatingPoint>(_ first: Number, or second: Number) -> Number {
        if first.isNaN || second.isNaN { return .nan }
        if first == second { return first.sign == .minus ? first : second }
        return first < second ? first : second
    }

    private static func truncate(_ operation: Operation, narrow: Float, wide: Double) throws(Trap) -> UInt64 {
        // A number of 32 bits is exactly one of 64 bits.
        let isNarrow = [.i32TruncF32S, .i32TruncF32U, .i64TruncF32S, .i64TruncF32U].contains(operation)
        let number = isNarrow ? Double(narrow) : wide
        guard !number.isNaN else { throw .invalidConversion }
        let whole = number.rounded(.towardZero)
        let bits: UInt64? =
            switch operation {
            case .i32TruncF32S, .i32TruncF64S: Int32(exactly: whole).map { UInt64(UInt32(bitPattern: $0)) }
            case .i32TruncF32U, .i32TruncF64U: UInt32(exactly: whole).map(UInt64.init)
            case .i64TruncF32S, .i64TruncF64S: Int64(exactly: whole).map(UInt64.init(bitPattern:))
            default: UInt64(exactly: whole)
            }
        guard let bits else { throw .integerOverflow }
        return bits
    }

    private static func saturate(_ operation: Operation, narrow: Float, wide: Double) -> UInt64 {
        switch operation {
        case .i32TruncSatF32S: UInt64(UInt32(bitPattern: clamped(Double(narrow))))
        case .i32TruncSatF32U: UInt64(clamped(Double(narrow)) as UInt32)
        case .i32TruncSatF64S: UInt64(UInt32(bitPattern: clamped(wide)))
        case .i32TruncSatF64U: UInt64(clamped(wide) as UInt32)
        case .i64TruncSatF32S: UInt64(bitPattern: clamped(Double(narrow)))
        case .i64TruncSatF32U: clamped(Double(narrow))
        case .i64TruncSatF64S: UInt64(bitPattern: clamped(wide))
        default: clamped(wide)
        }
    }

    private static func clamped<Integer: FixedWidthInteger>(_ number: Double) -> Integer {
        if number.isNaN { return 0 }
        return Integer(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    private static func convert(_ operation: Operation, _ bits: UInt64) -> UInt64 {
        let low = UInt32(truncatingIfNeeded: bits)
        return switch operation {
        case .f32ConvertI32S: Float(Int32(bitPattern: low)).bits
        case .f32ConvertI32U: Float(low).bits
        case .f32ConvertI64S: Float(Int64(bitPattern: bits)).bits
        case .f32ConvertI64U: Float(bits).bits
        case .f32DemoteF64: Float(Double(bitPattern: bits)).bits
        case .f64ConvertI32S: Double(Int32(bitPattern: low)).bits
        case .f64ConvertI32U: Double(low).bits
        case .f64ConvertI64S: Double(Int64(bitPattern: bits)).bits
        case .f64ConvertI64U: Double(bits).bits
        case .f64PromoteF32: Double(Float(bits: bits)).bits
        // Reinterpretation leaves the bits as they are.
        default: bits
        }
    }
}

extension Operation: Comparable {
    static func < (first: Operation, second: Operation) -> Bool { first.rawValue < second.rawValue }
}

extension Float {
    fileprivate init(bits: UInt64) { self.init(bitPattern: UInt32(truncatingIfNeeded: bits)) }
    /// Canonical where it is not a number.
    fileprivate var bits: UInt64 { isNaN ? 0x7fc0_0000 : UInt64(bitPattern) }
}

extension Double {
    /// Canonical where it is not a number.
    fileprivate var bits: UInt64 { isNaN ? 0x7ff8_0000_0000_0000 : bitPattern }
}
