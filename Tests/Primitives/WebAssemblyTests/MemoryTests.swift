import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

@Suite("Memory of WebAssembly")
struct MemoryTests {
    @Test("an access reaches to the last byte and not one further, with whatever offset")
    func edges() throws {
        // Loads from 0x28, stores from 0x36, with their sizes.
        let loads: [(UInt8, ValueType, UInt64)] = [
            (0x28, .i32, 4), (0x29, .i64, 8), (0x2a, .f32, 4), (0x2b, .f64, 8), (0x2c, .i32, 1), (0x2d, .i32, 1),
            (0x2e, .i32, 2), (0x2f, .i32, 2), (0x30, .i64, 1), (0x31, .i64, 1), (0x32, .i64, 2), (0x33, .i64, 2),
            (0x34, .i64, 4), (0x35, .i64, 4),
        ]
        let stores: [(UInt8, ValueType, UInt64)] = [
            (0x36, .i32, 4), (0x37, .i64, 8), (0x38, .f32, 4), (0x39, .f64, 8), (0x3a, .i32, 1), (0x3b, .i32, 2),
            (0x3c, .i64, 1), (0x3d, .i64, 2), (0x3e, .i64, 4),
        ]
        for (opcode, type, size) in loads + stores {
            for offset in [0, 3] as [UInt8] {
                let isLoad = opcode < 0x36
                let body = isLoad ? Assembly.get(0) : Assembly.get(0) + Assembly.get(1)
                let instance = try Assembly.running(
                    FunctionType([.i32, type], to: isLoad ? [type] : []), pages: 1, body + [opcode, 0, offset]
                ).instance()
                let last = 65_536 - size - UInt64(offset)
                #expect(throws: Never.self) { try instance.call("run", [last, 1]) }
                for address in [last + 1, 65_536, 0xffff_ffff] {
                    #expect(throws: Trap.memoryOutOfBounds) { try instance.call("run", [address, 1]) }
                }
            }
        }
        let far = Assembly.running(
            FunctionType([.i32], to: [.i32]), pages: 1, Assembly.get(0) + [0x28, 0, 0xff, 0xff, 0xff, 0xff, 0x0f])
        #expect(throws: Trap.memoryOutOfBounds) { try far.run(0xffff_ffff) }
    }

    @Test("bytes are little-endian, and narrow loads extend with a sign or with zeros")
    func order() throws {
        var assembly = Assembly()
        assembly.memory(1)
        assembly.activeData(8, [0x80, 0xff, 0x01, 0x82, 0xfe, 0xff, 0xff, 0xff])
        let rows: [(UInt8, ValueType, UInt64)] = [
            (0x28, .i32, 0x8201_ff80), (0x29, .i64, 0xffff_fffe_8201_ff80), (0x2c, .i32, 0xffff_ff80),
            (0x2d, .i32, 0x80),
            (0x2e, .i32, 0xffff_ff80), (0x2f, .i32, 0xff80), (0x30, .i64, 0xffff_ffff_ffff_ff80), (0x31, .i64, 0x80),
            (0x32, .i64, 0xffff_ffff_ffff_ff80), (0x33, .i64, 0xff80), (0x34, .i64, 0xffff_ffff_8201_ff80),
            (0x35, .i64, 0x8201_ff80),
        ]
        for (opcode, type, _) in rows {
            assembly.function(FunctionType(to: [type]), export: "\(opcode)", Assembly.i32(4) + [opcode, 0, 4])
        }
        let instance = try assembly.instance()
        for (opcode, _, result) in rows { #expect(try instance.call("\(opcode)") == [result]) }
    }

    @Test("memory grows by pages of zeros, up to its maximum")
    func grow() throws {
        var assembly = Assembly()
        assembly.memory(1, maximum: 3)
        assembly.function(FunctionType([.i32], to: [.i32]), export: "grow", Assembly.get(0) + [0x40, 0])
        assembly.function(FunctionType(to: [.i32]), export: "size", [0x3f, 0])
        assembly.function(FunctionType([.i32], to: [.i32]), export: "load", Assembly.get(0) + [0x28, 2, 0])
        let instance = try assembly.instance()
        #expect(throws: Trap.memoryOutOfBounds) { try instance.call("load", [65_536]) }
        #expect(try instance.call("grow", [2]) == [1])
        #expect(try instance.call("load", [196_604]) == [0])
        for pages in [1, 0xffff_ffff] as [UInt64] { #expect(try instance.call("grow", [pages]) == [0xffff_ffff]) }
        #expect(try instance.call("size") == [3])
    }

    @Test("bulk instructions fill, copy what overlaps, and take segments until those are dropped")
    func bulk() throws {
        var assembly = Assembly()
        let triple = FunctionType([.i32, .i32, .i32])
        let arguments = Assembly.get(0) + Assembly.get(1) + Assembly.get(2)
        assembly.memory(1)
        assembly.statesDataCount = true
        assembly.data = [[1, 4, 1, 2, 3, 4]]
        assembly.function(triple, export: "init", arguments + [0xfc, 8, 0, 0])
        assembly.function(FunctionType(), export: "drop", [0xfc, 9, 0])
        assembly.function(triple, export: "copy", arguments + [0xfc, 10, 0, 0])
        assembly.function(triple, export: "fill", arguments + [0xfc, 11, 0])
        assembly.function(FunctionType([.i32], to: [.i64]), export: "load", Assembly.get(0) + [0x29, 0, 0])
        let instance = try assembly.instance()
        _ = try instance.call("init", [2, 1, 3])
        #expect(try instance.call("load", [0]) == [0x0004_0302_0000])
        _ = try instance.call("copy", [3, 2, 3])
        #expect(try instance.call("load", [0]) == [0x0403_0202_0000])
        _ = try instance.call("fill", [0, 0x1aa, 2])
        #expect(try instance.call("load", [0]) == [0x0403_0202_aaaa])
        #expect(throws: Trap.memoryOutOfBounds) { try instance.call("init", [0, 2, 3]) }
        #expect(throws: Trap.memoryOutOfBounds) { try instance.call("copy", [65_535, 0, 2]) }
        #expect(throws: Trap.memoryOutOfBounds) { try instance.call("fill", [65_537, 0, 0]) }
        #expect(throws: Never.self) { try instance.call("fill", [65_536, 0, 0]) }
        _ = try instance.call("drop")
        #expect(throws: Trap.memoryOutOfBounds) { try instance.call("init", [0, 0, 1]) }
        #expect(throws: Never.self) { try instance.call("init", [0, 0, 0]) }
    }

    @Test("tables take segments and copies in the same way")
    func tables() throws {
        var assembly = Assembly()
        let five = assembly.function(FunctionType(to: [.i32]), Assembly.i32(5))
        let type = UInt8(assembly.typeIndex(FunctionType(to: [.i32])))
        let triple = FunctionType([.i32, .i32, .i32])
        let arguments = Assembly.get(0) + Assembly.get(1) + Assembly.get(2)
        assembly.tables = [[0x70, 0, 4]]
        assembly.elements = [[1, 0, 1, UInt8(five)]]
        assembly.function(triple, export: "init", arguments + [0xfc, 12, 0, 0])
        assembly.function(FunctionType(), export: "drop", [0xfc, 13, 0])
        assembly.function(triple, export: "copy", arguments + [0xfc, 14, 0, 0])
        assembly.function(FunctionType([.i32], to: [.i32]), export: "run", Assembly.get(0) + [0x11, type, 0])
        let instance = try assembly.instance()
        #expect(throws: Trap.uninitializedElement) { try instance.call("run", [1]) }
        _ = try instance.call("init", [1, 0, 1])
        _ = try instance.call("copy", [2, 1, 2])
        #expect(try instance.call("run", [2]) == [5])
        #expect(throws: Trap.uninitializedElement) { try instance.call("run", [3]) }
        #expect(throws: Trap.tableOutOfBounds) { try instance.call("copy", [3, 0, 2]) }
        _ = try instance.call("drop")
        #expect(throws: Trap.tableOutOfBounds) { try instance.call("init", [0, 0, 1]) }
    }

    @Test("bulk instructions cost a step for each 64 bytes, or for each entry of a table")
    func costs() throws {
        var assembly = Assembly()
        let triple = FunctionType([.i32, .i32, .i32])
        let arguments = Assembly.get(0) + Assembly.get(1) + Assembly.get(2)
        assembly.memory(1)
        assembly.tables = [[0x70, 0] + Assembly.unsigned(1_000)]
        assembly.elements = [[1, 0] + Assembly.vector(Array(repeating: [0], count: 1_000))]
        assembly.function(triple, export: "memory.copy", arguments + [0xfc, 10, 0, 0])
        assembly.function(triple, export: "memory.fill", arguments + [0xfc, 11, 0])
        assembly.function(triple, export: "table.init", arguments + [0xfc, 12, 0, 0])
        assembly.function(triple, export: "table.copy", arguments + [0xfc, 14, 0, 0])
        let instance = try assembly.instance()
        func cost(of name: String, _ count: UInt64) throws -> Int64 {
            let before = instance.fuel
            _ = try instance.call(name, [0, 0, count])
            return before - instance.fuel
        }
        let rows: [(String, Int64)] = [
            ("memory.copy", 15), ("memory.fill", 15), ("table.init", 1_000), ("table.copy", 1_000),
        ]
        for (name, steps) in rows {
            let (many, none) = (try cost(of: name, 1_000), try cost(of: name, 0))
            #expect(many - none == steps, "\(name)")
        }
        var limits = ExecutionLimits()
        limits.fuel = 500
        let short = try assembly.instance(limits)
        #expect(throws: Trap.outOfFuel) { try short.call("table.copy", [0, 0, 1_000]) }
    }

    @Test("segments that do not fit end the start")
    func segments() {
        var assembly = Assembly.running(FunctionType(), pages: 1, [])
        assembly.data = [[0, 0x41] + Assembly.signed(65_535) + [0x0b, 2, 1, 2]]
        #expect(throws: Trap.memoryOutOfBounds) { try assembly.run() }
        assembly = Assembly.running(FunctionType(), [])
        assembly.tables = [[0x70, 0, 1]]
        assembly.elements = [[0, 0x41, 1, 0x0b, 1, 0]]
        #expect(throws: Trap.tableOutOfBounds) { try assembly.run() }
    }
}
