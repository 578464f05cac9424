/// Operations on integers that are rare or may trap (WebAssembly core specification 1.0, section 4.3.2).
enum IntegerOperations {
    /// - Returns: nil for what is none of them.
    static func compute(_ operation: Operation, of first: UInt64, and second: UInt64) throws(Trap) -> UInt64? {
        let (narrow, other) = (UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: second))
        switch operation {
        case .i32DivS:
            return UInt64(UInt32(bitPattern: try quotient(Int32(bitPattern: narrow), by: .init(bitPattern: other))))
        case .i32DivU: return UInt64(try quotient(narrow, by: other))
        case .i32RemS:
            return UInt64(UInt32(bitPattern: try rest(Int32(bitPattern: narrow), by: .init(bitPattern: other))))
        case .i32RemU: return UInt64(try rest(narrow, by: other))
        case .i64DivS: return UInt64(bitPattern: try quotient(Int64(bitPattern: first), by: .init(bitPattern: second)))
        case .i64DivU: return try quotient(first, by: second)
        case .i64RemS: return UInt64(bitPattern: try rest(Int64(bitPattern: first), by: .init(bitPattern: second)))
        case .i64RemU: return try rest(first, by: second)
        case .i32Clz: return UInt64(narrow.leadingZeroBitCount)
        case .i32Ctz: return UInt64(narrow.trailingZeroBitCount)
        case .i32Popcnt: return UInt64(narrow.nonzeroBitCount)
        case .i64Clz: return UInt64(first.leadingZeroBitCount)
        case .i64Ctz: return UInt64(first.trailingZeroBitCount)
        case .i64Popcnt: return UInt64(first.nonzeroBitCount)
        case .i32Rotl: return UInt64(narrow &<< other | narrow &>> (0 &- other))
        case .i32Rotr: return UInt64(narrow &>> other | narrow &<< (0 &- other))
        case .i64Rotl: return first &<< second | first &>> (0 &- second)
        case .i64Rotr: return first &>> second | first &<< (0 &- second)
        case .i32Extend8S: return UInt64(UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: first))))
        case .i32Extend16S: return UInt64(UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: first))))
        case .i64Extend8S: return UInt64(bitPattern: Int64(Int8(truncatingIfNeeded: first)))
        case .i64Extend16S: return UInt64(bitPattern: Int64(Int16(truncatingIfNeeded: first)))
        default: return nil
        }
    }

    private static func quotient<Integer: FixedWidthInteger>(
        _ dividend: Integer, by divisor: Integer
    ) throws(Trap) -> Integer {
        guard divisor != 0 else { throw .divisionByZero }
        let (quotient, overflow) = dividend.dividedReportingOverflow(by: divisor)
        guard !overflow else { throw .integerOverflow }
        return quotient
    }

    /// The rest has the sign of the dividend; by -1, it is 0 also where the quotient does not fit.
    private static func rest<Integer: FixedWidthInteger>(
        _ dividend: Integer, by divisor: Integer
    ) throws(Trap) -> Integer {
        guard divisor != 0 else { throw .divisionByZero }
        return dividend.remainderReportingOverflow(dividingBy: divisor).partialValue
    }
}
