import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// What the core specification 1.0 (section 4.3.3) says of single instructions, at their edges.
@Suite("Floats of WebAssembly")
struct FloatTests {
    private static let canonical32: UInt64 = 0x7fc0_0000
    private static let canonical64: UInt64 = 0x7ff8_0000_0000_0000

    private static func narrow(_ opcode: UInt8, _ arguments: Float...) throws -> UInt64 {
        let body = arguments.indices.flatMap { Assembly.get(UInt8($0)) } + [opcode]
        return try Assembly.running(FunctionType(arguments.map { _ in .f32 }, to: [.f32]), body)
            .instance().call("run", arguments.map { UInt64($0.bitPattern) })[0]
    }

    private static func wide(_ opcode: UInt8, _ arguments: Double...) throws -> UInt64 {
        let body = arguments.indices.flatMap { Assembly.get(UInt8($0)) } + [opcode]
        return try Assembly.running(FunctionType(arguments.map { _ in .f64 }, to: [.f64]), body)
            .instance().call("run", arguments.map(\.bitPattern))[0]
    }

    @Test("what is not a number comes out in one form, with whatever it went in")
    func notANumber() throws {
        let strange = Float(bitPattern: 0xffa1_2345)
        for opcode in [UInt8(0x8d), 0x8e, 0x8f, 0x90, 0x91] {
            #expect(try Self.narrow(opcode, strange) == Self.canonical32)
        }
        for opcode in UInt8(0x92)...0x97 {
            #expect(try Self.narrow(opcode, strange, 1) == Self.canonical32)
            #expect(try Self.narrow(opcode, 1, strange) == Self.canonical32)
        }
        for opcode in UInt8(0xa0)...0xa5 { #expect(try Self.wide(opcode, .nan, -0.0) == Self.canonical64) }
        #expect(try Self.narrow(0x95, 0, 0) == Self.canonical32)
        #expect(try Self.wide(0x9f, -1) == Self.canonical64)
    }

    @Test("only the sign changes where only the sign is meant to")
    func signs() throws {
        let strange = Float(bitPattern: 0xffa1_2345)
        #expect(try Self.narrow(0x8b, strange) == 0x7fa1_2345)
        #expect(try Self.narrow(0x8c, strange) == 0x7fa1_2345)
        #expect(try Self.narrow(0x98, strange, 1) == 0x7fa1_2345)
        #expect(try Self.wide(0x9a, 0) == 1 << 63)
        #expect(try Self.wide(0xa6, 3, -0.0) == (-3.0).bitPattern)
    }

    @Test("the negative zero is less than zero")
    func zeros() throws {
        #expect(try Self.narrow(0x96, 0, -0.0) == UInt64((-0.0 as Float).bitPattern))
        #expect(try Self.narrow(0x97, -0.0, 0) == 0)
        #expect(try Self.wide(0xa4, -0.0, 0) == (-0.0).bitPattern)
        #expect(try Self.wide(0xa5, 0, -0.0) == 0)
        #expect(try Self.wide(0xa4, -.infinity, 1) == (-Double.infinity).bitPattern)
    }

    @Test("halves are rounded to the even number, and small negative numbers to the negative zero")
    func rounding() throws {
        for (value, result) in [
            (0.5, 0.0), (1.5, 2), (2.5, 2), (-0.5, -0.0), (-1.5, -2), (4503599627370497.5, 4_503_599_627_370_498),
        ] {
            #expect(try Self.wide(0x9e, value) == result.bitPattern)
        }
        #expect(try Self.wide(0x9b, -0.5) == (-0.0).bitPattern)
        #expect(try Self.wide(0x9d, -0.9) == (-0.0).bitPattern)
        #expect(try Self.wide(0x9c, -0.1) == (-1.0).bitPattern)
        #expect(try Self.narrow(0x90, 8_388_609) == UInt64((8_388_609 as Float).bitPattern))
    }

    @Test("numbers become integers up to the last one that fits, and trap or saturate behind it")
    func truncation() throws {
        // Opcode, and its saturating twin behind 0xfc; the greatest and the least that fit, and what does not.
        let rows: [(UInt8, UInt8, ValueType, least: Double, most: Double, below: Double, above: Double)] = [
            (0xaa, 2, .i32, -2_147_483_648.9, 2_147_483_647.9, -2_147_483_649, 2_147_483_648),
            (0xab, 3, .i32, -0.9, 4_294_967_295.9, -1, 4_294_967_296),
            (0xb0, 6, .i64, -9_223_372_036_854_775_808, 9_223_372_036_854_774_784, -9_223_372_036_854_777_856, 0x1p63),
            (0xb1, 7, .i64, -0.9, 18_446_744_073_709_549_568, -1, 0x1p64),
        ]
        for (opcode, twin, type, least, most, below, above) in rows {
            let trapping = Assembly.running(FunctionType([.f64], to: [type]), Assembly.get(0) + [opcode])
            let saturating = Assembly.running(FunctionType([.f64], to: [type]), Assembly.get(0) + [0xfc, twin])
            for fitting in [least, most] {
                #expect(try trapping.run(fitting.bitPattern) == saturating.run(fitting.bitPattern))
            }
            for outside in [below, above, .infinity, -.infinity] {
                #expect(throws: Trap.integerOverflow) { try trapping.run(outside.bitPattern) }
            }
            #expect(throws: Trap.invalidConversion) { try trapping.run(Double.nan.bitPattern) }
            #expect(try saturating.run(Double.nan.bitPattern) == [0])
        }
        let saturate = Assembly.running(FunctionType([.f64], to: [.i32]), Assembly.get(0) + [0xfc, 2])
        #expect(try saturate.run(Double.infinity.bitPattern) == [0x7fff_ffff])
        #expect(try saturate.run((-Double.infinity).bitPattern) == [0x8000_0000])
        let narrow = Assembly.running(FunctionType([.f32], to: [.i64]), Assembly.get(0) + [0xaf])
        #expect(try narrow.run(UInt64((0x1p63 as Float).bitPattern)) == [1 << 63])
        #expect(throws: Trap.integerOverflow) { try narrow.run(UInt64((0x1p64 as Float).bitPattern)) }
    }

    @Test("integers become the nearest numbers, ties to even")
    func conversion() throws {
        func convert(_ opcode: UInt8, _ from: ValueType, _ to: ValueType, _ bits: UInt64) throws -> UInt64 {
            try Assembly.running(FunctionType([from], to: [to]), Assembly.get(0) + [opcode]).run(bits)[0]
        }
        #expect(try convert(0xb2, .i32, .f32, 16_777_217) == UInt64((16_777_216 as Float).bitPattern))
        #expect(try convert(0xb3, .i32, .f32, 0xffff_ffff) == UInt64((0x1p32 as Float).bitPattern))
        #expect(try convert(0xb5, .i64, .f32, 0x7fff_ff40_0000_0001) == UInt64((0x1.fffffep62 as Float).bitPattern))
        #expect(try convert(0xb9, .i64, .f64, .max) == (-1.0).bitPattern)
        #expect(try convert(0xba, .i64, .f64, .max) == (0x1p64).bitPattern)
        #expect(try convert(0xb6, .f64, .f32, (0x1p-150).bitPattern) == 0)
        #expect(try convert(0xb6, .f64, .f32, Double.greatestFiniteMagnitude.bitPattern) == 0x7f80_0000)
        #expect(try convert(0xbb, .f32, .f64, 0xffa1_2345) == Self.canonical64)
        #expect(try convert(0xbe, .i32, .f32, 0xffa1_2345) == 0xffa1_2345)
        #expect(try convert(0xbd, .f64, .i64, 0xfff4_0000_0000_0001) == 0xfff4_0000_0000_0001)
    }
}
