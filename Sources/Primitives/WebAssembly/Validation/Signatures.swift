/// What the numeric instructions and those of the memory take and give, by their numbers in the binary format
/// (WebAssembly core specification 1.0, section 5.4).
enum Signatures {
    typealias Signature = (operands: Int, type: ValueType, result: ValueType)

    /// The operands are of one type each time.
    private static let rows: [(codes: ClosedRange<UInt16>, Signature)] = [
        (0x45...0x45, (1, .i32, .i32)), (0x46...0x4f, (2, .i32, .i32)),
        (0x50...0x50, (1, .i64, .i32)), (0x51...0x5a, (2, .i64, .i32)),
        (0x5b...0x60, (2, .f32, .i32)), (0x61...0x66, (2, .f64, .i32)),
        (0x67...0x69, (1, .i32, .i32)), (0x6a...0x78, (2, .i32, .i32)),
        (0x79...0x7b, (1, .i64, .i64)), (0x7c...0x8a, (2, .i64, .i64)),
        (0x8b...0x91, (1, .f32, .f32)), (0x92...0x98, (2, .f32, .f32)),
        (0x99...0x9f, (1, .f64, .f64)), (0xa0...0xa6, (2, .f64, .f64)),
        (0xa7...0xa7, (1, .i64, .i32)), (0xa8...0xa9, (1, .f32, .i32)), (0xaa...0xab, (1, .f64, .i32)),
        (0xac...0xad, (1, .i32, .i64)), (0xae...0xaf, (1, .f32, .i64)), (0xb0...0xb1, (1, .f64, .i64)),
        (0xb2...0xb3, (1, .i32, .f32)), (0xb4...0xb5, (1, .i64, .f32)), (0xb6...0xb6, (1, .f64, .f32)),
        (0xb7...0xb8, (1, .i32, .f64)), (0xb9...0xba, (1, .i64, .f64)), (0xbb...0xbb, (1, .f32, .f64)),
        (0xbc...0xbc, (1, .f32, .i32)), (0xbd...0xbd, (1, .f64, .i64)),
        (0xbe...0xbe, (1, .i32, .f32)), (0xbf...0xbf, (1, .i64, .f64)),
        (0xc0...0xc1, (1, .i32, .i32)), (0xc2...0xc4, (1, .i64, .i64)),
        (0x100...0x101, (1, .f32, .i32)), (0x102...0x103, (1, .f64, .i32)),
        (0x104...0x105, (1, .f32, .i64)), (0x106...0x107, (1, .f64, .i64)),
    ]

    private static let numeric: [Signature?] = {
        var table = [Signature?](repeating: nil, count: 0x108)
        for (codes, signature) in rows { for code in codes { table[Int(code)] = signature } }
        return table
    }()

    /// Nil for what is no numeric instruction.
    static func numeric(_ code: UInt16) -> Signature? { code < numeric.count ? numeric[Int(code)] : nil }

    /// The type of the value that an access moves, and the exponent of the greatest alignment, by instruction from
    /// 0x28.
    static let memory: [(type: ValueType, alignment: UInt32)] = [
        (.i32, 2), (.i64, 3), (.f32, 2), (.f64, 3),
        (.i32, 0), (.i32, 0), (.i32, 1), (.i32, 1),
        (.i64, 0), (.i64, 0), (.i64, 1), (.i64, 1), (.i64, 2), (.i64, 2),
        (.i32, 2), (.i64, 3), (.f32, 2), (.f64, 3), (.i32, 0), (.i32, 1), (.i64, 0), (.i64, 1), (.i64, 2),
    ]

    /// The name of an instruction that is not taken, by its proposal; nil for one that there is not.
    static func unsupported(_ code: UInt8) -> String? {
        switch code {
        case 0x06...0x0a, 0x18, 0x19, 0x1f: "an instruction of exceptions"
        case 0x12, 0x13: "a tail call"
        case 0x14, 0x15, 0xd3...0xd6: "an instruction of typed function references"
        case 0x1c: "select with a type (reference types)"
        case 0x25, 0x26, 0xd0...0xd2: "an instruction of reference types"
        case 0xfb: "an instruction of garbage collection"
        case 0xfd: "an instruction of SIMD"
        case 0xfe: "an instruction of threads"
        default: nil
        }
    }
}
