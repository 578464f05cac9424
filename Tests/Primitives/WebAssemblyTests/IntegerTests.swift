import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// What the core specification 1.0 (section 4.3.2) says of single instructions, at their edges.
@Suite("Integers of WebAssembly")
struct IntegerTests {
    private static let least32 = UInt64(1) << 31
    private static let minusOne32: UInt64 = 0xffff_ffff
    private static let least64 = UInt64(1) << 63

    private static func run(_ opcode: [UInt8], _ type: FunctionType, _ arguments: [UInt64]) throws -> UInt64 {
        let body = arguments.indices.flatMap { Assembly.get(UInt8($0)) } + opcode
        return try Assembly.running(type, body).instance().call("run", arguments)[0]
    }

    @Test(
        "of 32 bits",
        arguments: [
            (0x67, [0], 32), (0x67, [1], 31), (0x67, [least32], 0), (0x68, [0], 32), (0x68, [least32], 31),
            (0x69, [0], 0), (0x69, [minusOne32], 32), (0x6a, [minusOne32, 1], 0), (0x6b, [0, 1], minusOne32),
            (0x6c, [least32, minusOne32], least32), (0x6d, [7, minusOne32 - 1], minusOne32 - 2),
            (0x6d, [least32, 2], 0xc000_0000), (0x6e, [minusOne32, 2], 0x7fff_ffff), (0x6f, [least32, minusOne32], 0),
            (0x6f, [minusOne32 - 6, 3], minusOne32), (0x70, [minusOne32 - 6, 3], 0), (0x71, [12, 10], 8),
            (0x72, [12, 10], 14), (0x73, [12, 10], 6), (0x74, [1, 32], 1), (0x74, [1, 33], 2),
            (0x74, [1, 31], least32),
            (0x75, [least32, 31], minusOne32), (0x75, [least32, 32], least32), (0x76, [least32, 31], 1),
            (0x76, [least32, 33], 0x4000_0000), (0x77, [0xabcd_9876, 1], 0x579b_30ed), (0x77, [1, 32], 1),
            (0x77, [1, 0xff00_0001], 2), (0x78, [0xff00_cc00, 1], 0x7f80_6600), (0x78, [1, 32], 1),
            (0x78, [1, 1], least32),
        ] as [(UInt8, [UInt64], UInt64)])
    func narrow(opcode: UInt8, arguments: [UInt64], result: UInt64) throws {
        let type = FunctionType(arguments.map { _ in .i32 }, to: [.i32])
        #expect(try Self.run([opcode], type, arguments) == result)
    }

    @Test(
        "of 64 bits",
        arguments: [
            (0x79, [0], 64), (0x79, [least64], 0), (0x7a, [0], 64), (0x7a, [least64], 63), (0x7b, [.max], 64),
            (0x7c, [.max, 1], 0), (0x7d, [0, 1], .max), (0x7e, [least64, .max], least64),
            (0x7f, [7, .max - 1], .max - 2),
            (0x80, [.max, 2], .max / 2), (0x81, [least64, .max], 0), (0x81, [.max - 6, 3], .max),
            (0x82, [.max, 10], 5),
            (0x83, [12, 10], 8), (0x84, [12, 10], 14), (0x85, [12, 10], 6), (0x86, [1, 64], 1), (0x86, [1, 65], 2),
            (0x87, [least64, 63], .max), (0x87, [least64, 64], least64), (0x88, [least64, 63], 1),
            (0x89, [0xabcd_9876_1234_5678, 4], 0xbcd9_8761_2345_678a), (0x89, [1, 64], 1), (0x8a, [1, 1], least64),
        ] as [(UInt8, [UInt64], UInt64)])
    func wide(opcode: UInt8, arguments: [UInt64], result: UInt64) throws {
        let type = FunctionType(arguments.map { _ in .i64 }, to: [.i64])
        #expect(try Self.run([opcode], type, arguments) == result)
    }

    @Test("division by zero traps, and so does the one quotient that does not fit")
    func division() throws {
        for (first, isWide) in [(UInt8(0x6d), false), (0x7f, true)] {
            let type: ValueType = isWide ? .i64 : .i32
            let least = isWide ? Self.least64 : Self.least32
            for opcode in first..<first + 4 {
                #expect(throws: Trap.divisionByZero) {
                    try Self.run([opcode], FunctionType([type, type], to: [type]), [least, 0])
                }
            }
            #expect(throws: Trap.integerOverflow) {
                try Self.run(
                    [first], FunctionType([type, type], to: [type]), [least, isWide ? .max : Self.minusOne32])
            }
        }
    }

    @Test("comparisons, with a sign and without, also as conditions of branches")
    func comparisons() throws {
        // eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u
        let rows: [(UInt64, UInt64, [UInt64])] = [
            (.max, 1, [0, 1, 1, 0, 0, 1, 1, 0, 0, 1]), (1, .max, [0, 1, 0, 1, 1, 0, 0, 1, 1, 0]),
            (5, 5, [1, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
        ]
        for (first, second, results) in rows {
            for (offset, result) in results.enumerated() {
                let (narrow, wide) = (0x46 + UInt8(offset), 0x51 + UInt8(offset))
                #expect(try Self.run([narrow], FunctionType([.i32, .i32], to: [.i32]), [first, second]) == result)
                #expect(try Self.run([wide], FunctionType([.i64, .i64], to: [.i32]), [first, second]) == result)
                let operands = Assembly.get(0) + Assembly.get(1) + [narrow]
                let jump: [UInt8] =
                    [0x02, 0x40] + operands + [0x0d, 0] + Assembly.i32(0) + [0x0f, 0x0b] + Assembly.i32(1)
                let choice: [UInt8] = operands + [0x04, 0x7f] + Assembly.i32(1) + [0x05] + Assembly.i32(0) + [0x0b]
                for body in [jump, choice] {
                    #expect(
                        try Assembly.running(FunctionType([.i32, .i32], to: [.i32]), body).run(first, second) == [
                            result
                        ])
                }
            }
        }
    }

    @Test("conversions keep, cut and extend")
    func conversions() throws {
        let value: UInt64 = 0xffff_ffff_8000_0080
        for (opcode, from, to, result) in [
            (0xa7, ValueType.i64, ValueType.i32, 0x8000_0080), (0xac, .i32, .i64, 0xffff_ffff_8000_0080),
            (0xad, .i32, .i64, 0x8000_0080), (0xc0, .i32, .i32, 0xffff_ff80), (0xc1, .i32, .i32, 0x80),
            (0xc2, .i64, .i64, 0xffff_ffff_ffff_ff80), (0xc3, .i64, .i64, 0x80),
            (0xc4, .i64, .i64, 0xffff_ffff_8000_0080),
            (0x45, .i32, .i32, 0), (0x50, .i64, .i32, 0),
        ] as [(UInt8, ValueType, ValueType, UInt64)] {
            #expect(try Self.run([opcode], FunctionType([from], to: [to]), [value]) == result, "\(opcode)")
        }
    }

    @Test("a constant as the second operand is what a variable is")
    func constants() throws {
        let first: UInt64 = 0xfedc_ba98_8765_4321
        for value in [0, 1, -1, 31, 32, 33, 63, 64, .min, .max] as [Int64] {
            for (narrow, wide) in [(0x6a, 0x7c), (0x6b, 0x7d), (0x6c, 0x7e), (0x71, 0x83), (0x74, 0x86), (0x76, 0x88)]
                as [(UInt8, UInt8)]
            {
                let short = Int32(truncatingIfNeeded: value)
                for (opcode, type, constant) in [
                    (narrow, ValueType.i32, Assembly.i32(short)), (wide, .i64, Assembly.i64(value)),
                ] {
                    let binary = FunctionType([type, type], to: [type])
                    let variable = try Assembly.running(binary, Assembly.get(0) + Assembly.get(1) + [opcode])
                        .run(first, UInt64(bitPattern: value))
                    #expect(
                        try Assembly.running(binary, Assembly.get(0) + constant + [opcode]).run(first, 0) == variable)
                }
            }
        }
    }
}
