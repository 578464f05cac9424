import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// How code goes on: blocks, branches, calls (core specification 1.0, sections 4.4.5 to 4.4.7).
@Suite("Control of WebAssembly")
struct ControlTests {
    private static let unary = FunctionType([.i32], to: [.i32])

    @Test("a table of branches takes the last target for all that is behind it")
    func table() throws {
        // block block block local.get 0 br_table 0 1 2 end 10 return end 20 return end 30
        let body: [UInt8] =
            [0x02, 0x40, 0x02, 0x40, 0x02, 0x40] + Assembly.get(0) + [0x0e, 2, 0, 1, 2, 0x0b]
            + Assembly.i32(10) + [0x0f, 0x0b] + Assembly.i32(20) + [0x0f, 0x0b] + Assembly.i32(30)
        let assembly = Assembly.running(Self.unary, body)
        for (index, result) in [(0, 10), (1, 20), (2, 30), (3, 30), (0xffff_ffff, 30)] as [(UInt64, UInt64)] {
            #expect(try assembly.run(index) == [result])
        }
    }

    @Test("branches of a table bring values to places of different heights, and to the end of the function")
    func tableValues() throws {
        // (block i32 (1) (block i32 (2) (local.get 0) br_table 0 1 2) (add))
        let body: [UInt8] =
            [0x02, 0x7f] + Assembly.i32(1) + [0x02, 0x7f] + Assembly.i32(2) + Assembly.get(0) + [
                0x0e, 2, 0, 1, 2, 0x0b,
            ]
            + [0x6a, 0x0b] + Assembly.i32(100) + [0x6a]
        let assembly = Assembly.running(Self.unary, body)
        #expect(try assembly.run(0) == [103])
        #expect(try assembly.run(1) == [102])
        #expect(try assembly.run(2) == [2])
    }

    @Test("a loop runs until its condition fails")
    func loop() throws {
        // 1 + 2 + … + n
        let body: [UInt8] =
            [0x03, 0x40] + Assembly.get(1) + Assembly.get(0) + [0x6a, 0x21, 1] + Assembly.get(0) + Assembly.i32(1)
            + [0x6b, 0x22, 0, 0x0d, 0, 0x0b] + Assembly.get(1)
        #expect(try Assembly.running(Self.unary, locals: [.i32], body).run(1000) == [500_500])
    }

    @Test("a value that was read stays what it was when its local changes, in every branch")
    func borrowing() throws {
        // local.get 0; (block (br_if 0 (local.get 1)) (local.set 0 (100))); local.get 0; add
        let body: [UInt8] =
            Assembly.get(0) + [0x02, 0x40] + Assembly.get(1) + [0x0d, 0] + Assembly.i32(100) + [0x21, 0, 0x0b]
            + Assembly.get(0) + [0x6a]
        let type = FunctionType([.i32, .i32], to: [.i32])
        #expect(try Assembly.running(type, body).run(7, 0) == [107])
        #expect(try Assembly.running(type, body).run(7, 1) == [14])
        // local.get 0; local.get 1; local.set 0; local.get 0; local.set 1; local.get 1; sub: swapped through the stack.
        let swap: [UInt8] = Assembly.get(0) + Assembly.get(1) + [0x21, 0] + Assembly.get(0) + [0x6b]
        #expect(try Assembly.running(type, swap).run(7, 5) == [2])
        // local.get 0; local.tee 0 (local.get 0 + 1); sub
        let tee: [UInt8] = Assembly.get(0) + Assembly.get(0) + Assembly.i32(1) + [0x6a, 0x22, 0, 0x6b]
        #expect(try Assembly.running(type, tee).run(7, 5) == [0xffff_ffff])
    }

    @Test("several values go through blocks, loops, ifs, calls and returns")
    func multipleValues() throws {
        var assembly = Assembly()
        let pair = FunctionType([.i32, .i32], to: [.i32, .i32])
        let type = UInt8(assembly.typeIndex(pair))
        let swap = assembly.function(pair, Assembly.get(1) + Assembly.get(0))
        let early = assembly.function(pair, Assembly.get(1) + Assembly.get(0) + [0x0f])
        // (a b) through a block that does nothing, an if that swaps, and a call that swaps back.
        assembly.function(
            pair, export: "run",
            Assembly.get(0) + Assembly.get(1) + [0x02, type, 0x0b] + Assembly.i32(1)
                + [0x04, type, 0x10, UInt8(swap), 0x05, 0x0b, 0x10, UInt8(early)])
        // Euclid's algorithm on two values that a loop takes.
        assembly.function(
            FunctionType([.i32, .i32], to: [.i32]), locals: [.i32], export: "gcd",
            Assembly.get(0) + Assembly.get(1) + [0x03, type, 0x22, 2, 0x70] + [0x21, 0] + Assembly.get(2)
                + Assembly.get(0) + Assembly.get(0) + [0x0d, 0, 0x0b, 0x1a])
        let instance = try assembly.instance()
        #expect(try instance.call("run", [3, 4]) == [3, 4])
        #expect(try instance.call("gcd", [48, 36]) == [12])
    }

    @Test("a call through the table checks the entry and its type")
    func indirect() throws {
        var assembly = Assembly()
        let three = assembly.function(FunctionType(to: [.i32]), Assembly.i32(3))
        let wide = assembly.function(FunctionType(to: [.i64]), Assembly.i64(4))
        let type = UInt8(assembly.typeIndex(FunctionType(to: [.i32])))
        // A type that is written twice is one type.
        assembly.types.append(FunctionType(to: [.i32]))
        let again = UInt8(assembly.types.count - 1)
        assembly.function(Self.unary, export: "run", Assembly.get(0) + [0x11, type, 0])
        assembly.function(Self.unary, export: "again", Assembly.get(0) + [0x11, again, 0])
        assembly.table([three, wide])
        assembly.tables = [[0x70, 0, 3]]
        let instance = try assembly.instance()
        #expect(try instance.call("run", [0]) == [3])
        #expect(try instance.call("again", [0]) == [3])
        #expect(throws: Trap.indirectCallTypeMismatch) { try instance.call("run", [1]) }
        #expect(throws: Trap.uninitializedElement) { try instance.call("run", [2]) }
        #expect(throws: Trap.tableOutOfBounds) { try instance.call("run", [3]) }
        #expect(throws: Trap.tableOutOfBounds) { try instance.call("run", [0xffff_ffff]) }
    }

    @Test("select takes the first value if its condition is not zero")
    func select() throws {
        let body = Assembly.i64(1) + Assembly.i64(2) + Assembly.get(0) + [0x1b]
        let assembly = Assembly.running(FunctionType([.i32], to: [.i64]), body)
        #expect(try assembly.run(0) == [2])
        #expect(try assembly.run(0x8000_0000) == [1])
    }

    @Test("the start runs first, globals change, and unreachable gives up")
    func start() throws {
        var assembly = Assembly()
        assembly.globals = [[0x7e, 1] + Assembly.i64(40) + [0x0b]]
        assembly.start = assembly.function(FunctionType(), [0x23, 0] + Assembly.i64(2) + [0x7c, 0x24, 0])
        assembly.function(FunctionType(to: [.i64]), export: "run", [0x23, 0])
        #expect(try assembly.run() == [42])
        #expect(throws: Trap.unreachable) { try Assembly.running(FunctionType(), [0x00]).run() }
    }

    @Test("an imported function is the host's, and one that it does not give is named")
    func host() throws {
        struct Doubling: Host {
            mutating func call(
                _ function: Import, _ arguments: [UInt64], memory: LinearMemory?
            ) throws(Trap) -> [UInt64] {
                guard function.name == "double" else {
                    throw .noSuchImport(module: function.module, name: function.name)
                }
                return [arguments[0] * 2]
            }
        }
        var assembly = Assembly()
        assembly.importFunction("double", Self.unary)
        assembly.importFunction("ext_storage_get_version_1", FunctionType([.i64], to: [.i64]))
        assembly.function(Self.unary, export: "run", Assembly.get(0) + [0x10, 0] + Assembly.i32(1) + [0x6a])
        assembly.function(FunctionType(to: [.i64]), export: "store", Assembly.i64(0) + [0x10, 1])
        let instance = try Instance(of: try assembly.module(), host: Doubling())
        #expect(try instance.call("run", [21]) == [43])
        let trap = #expect(throws: Trap.self) { try instance.call("store") }
        #expect(trap?.description == "it asked for env.ext_storage_get_version_1, which is not given")
    }

    @Test("a module without code of its own exports and starts what it imports")
    func importsAlone() throws {
        struct Counting: Host {
            mutating func call(
                _ function: Import, _ arguments: [UInt64], memory: LinearMemory?
            ) throws(Trap) -> [UInt64] {
                guard function.name != "start" else { throw .host("it was started") }
                return arguments
            }
        }
        var assembly = Assembly()
        assembly.importFunction("same", Self.unary)
        assembly.exports.append(Assembly.name("run") + [0, 0])
        #expect(try Instance(of: try assembly.module(), host: Counting()).call("run", [7]) == [7])
        assembly = Assembly()
        assembly.importFunction("start", FunctionType())
        assembly.start = 0
        let module = try assembly.module()
        #expect(throws: Trap.host("it was started")) { try Instance(of: module, host: Counting()) }
    }

    @Test("loops, recursion, deep stacks and large memories end at their limits")
    func limits() throws {
        var limits = ExecutionLimits()
        limits.fuel = 1_000
        let endless = try Assembly.running(FunctionType(), [0x03, 0x40, 0x0c, 0, 0x0b]).instance(limits)
        #expect(throws: Trap.outOfFuel) { try endless.call("run") }
        #expect(endless.fuel == 0)
        let recursion = Assembly.running(FunctionType(), locals: Array(repeating: .i64, count: 100), [0x10, 0])
        #expect(throws: Trap.callStackExhausted) { try recursion.run() }
        limits = ExecutionLimits()
        limits.callDepth = 10
        #expect(throws: Trap.callStackExhausted) { try recursion.instance(limits).call("run") }
        limits = ExecutionLimits()
        limits.stackValues = 50
        #expect(throws: Trap.callStackExhausted) { try recursion.instance(limits).call("run") }
        limits = ExecutionLimits()
        limits.memoryPages = 1
        #expect(throws: Trap.host("it needs 2 pages of memory, and may have 1")) {
            try Assembly.running(FunctionType(), pages: 2, []).instance(limits)
        }
        let growing = Assembly.running(FunctionType(to: [.i32]), pages: 1, Assembly.i32(1) + [0x40, 0])
        #expect(try growing.instance(limits).call("run") == [0xffff_ffff])
        #expect(try growing.run() == [1])
    }
}
