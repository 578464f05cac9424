import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// What translation makes one step of, beside the same computation step by step.
@Suite("Instructions of WebAssembly that are joined")
struct JoinedTests {
    private static let edges: [Int64] = [
        0, 1, -1, 2, 31, 32, 33, 63, 64, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, -0x8000_0000, .max, .min,
    ]
    private static let comparisons: [ValueType: ClosedRange<UInt8>] = [.i32: 0x46...0x4f, .i64: 0x51...0x5a]
    private static let binaries: [ValueType: ClosedRange<UInt8>] = [.i32: 0x6a...0x78, .i64: 0x7c...0x8a]

    private static func constant(_ type: ValueType, _ value: Int64) -> [UInt8] {
        type == .i32 ? Assembly.i32(Int32(truncatingIfNeeded: value)) : Assembly.i64(value)
    }

    private static func operations(_ assembly: Assembly) throws -> Set<Operation> {
        Set(try assembly.module().code.map(\.operation))
    }

    /// A result, or the trap.
    private static func outcome(_ instance: Instance<NoHost>, _ arguments: [UInt64]) -> Result<[UInt64], Trap> {
        do throws(Trap) { return .success(try instance.call("run", arguments)) } catch { return .failure(error) }
    }

    @Test("a constant as the second operand does what a variable does", arguments: [ValueType.i32, .i64])
    func constants(type: ValueType) throws {
        for opcode in Array(Self.comparisons[type] ?? 0...0) + Array(Self.binaries[type] ?? 0...0) {
            let isComparison = Self.comparisons[type]?.contains(opcode) ?? false
            let signature = FunctionType([type, type], to: [isComparison ? .i32 : type])
            let variable = try Assembly.running(signature, Assembly.get(0) + Assembly.get(1) + [opcode]).instance()
            for second in Self.edges {
                let assembly = Assembly.running(signature, Assembly.get(0) + Self.constant(type, second) + [opcode])
                let fixed = try assembly.instance()
                if let joined = Operation(rawValue: UInt16(opcode) + 0x200) {
                    #expect(try Self.operations(assembly) == [joined, .returnOne])
                }
                for first in Self.edges {
                    let operands = [first, second].map(UInt64.init(bitPattern:))
                    #expect(Self.outcome(fixed, operands) == Self.outcome(variable, operands), "\(opcode) \(operands)")
                }
            }
        }
    }

    @Test("a branch on a comparison goes where its value says", arguments: [ValueType.i32, .i64])
    func branches(type: ValueType) throws {
        let signature = FunctionType([type, type], to: [.i32])
        for opcode in Self.comparisons[type] ?? 0...0 {
            let value = try Assembly.running(signature, Assembly.get(0) + Assembly.get(1) + [opcode]).instance()
            for second in Self.edges {
                let fixed = Self.constant(type, second)
                let instances = try [Assembly.get(1), fixed].flatMap { operand in
                    try Self.choices(Assembly.get(0) + operand + [opcode]).map {
                        try Assembly.running(signature, $0).instance()
                    }
                }
                for first in Self.edges {
                    let operands = [first, second].map(UInt64.init(bitPattern:))
                    let expected = Self.outcome(value, operands)
                    for instance in instances { #expect(Self.outcome(instance, operands) == expected) }
                }
            }
        }
    }

    /// 1 where a condition holds, else 0: by a branch that is taken then, by one that is taken else, by one to the end
    /// of the function.
    private static func choices(_ condition: [UInt8]) -> [[UInt8]] {
        [
            [0x02, 0x40] + condition + [0x0d, 0] + Assembly.i32(0) + [0x0f, 0x0b] + Assembly.i32(1),
            condition + [0x04, 0x7f] + Assembly.i32(1) + [0x05] + Assembly.i32(0) + [0x0b],
            Assembly.i32(1) + condition + [0x0d, 0, 0x1a] + Assembly.i32(0),
        ]
    }

    @Test("a comparison with zero is the branch's, and one with a constant of 64 bits is not")
    func zeros() throws {
        for (type, opcode) in [(ValueType.i32, UInt8(0x45)), (.i64, 0x50)] {
            for body in Self.choices(Assembly.get(0) + [opcode]) {
                let assembly = Assembly.running(FunctionType([type], to: [.i32]), body)
                for (value, result) in [(0, 1), (1, 0), (1 << 31, 0), (1 << 32, type == .i32 ? 1 : 0)]
                    as [(UInt64, UInt64)]
                {
                    #expect(try assembly.run(value) == [result])
                }
                #expect(try Self.operations(assembly).isDisjoint(with: [.i32Eqz, .i64Eqz]))
            }
        }
        for body in Self.choices(Assembly.get(0) + Assembly.i64(1 << 32) + [0x51]) {
            let assembly = Assembly.running(FunctionType([.i64], to: [.i32]), body)
            #expect(try [0, 1 << 32].map { try assembly.run($0) } == [[0], [1]])
        }
    }

    @Test("an addition before a comparison and its branch counts first", arguments: UInt8(0x46)...0x4f)
    func additions(opcode: UInt8) throws {
        // (block (br_if 0 (comparison (local.tee 0 (local.get 0 + constant)) (other))) (return (local.get 0)))
        // (local.get 0 + 1000)
        for (other, reads) in [(Assembly.get(1), UInt16(1)), (Assembly.get(0), 0)] {
            for constant in [1, -1, .min, .max] as [Int32] {
                let sum = Assembly.get(0) + Assembly.i32(constant) + [0x6a, 0x22, 0]
                let body: [UInt8] =
                    [0x02, 0x40] + sum + other + [opcode, 0x0d, 0] + Assembly.get(0) + [0x0f, 0x0b] + Assembly.get(0)
                    + Assembly.i32(1_000) + [0x6a]
                let assembly = Assembly.running(FunctionType([.i32, .i32], to: [.i32]), body)
                let joined = try #require(Operation(rawValue: UInt16(opcode) + 0x500))
                #expect(try assembly.module().code.first { $0.operation == joined }?.second == reads)
                let compare = try Assembly.running(
                    FunctionType([.i32, .i32], to: [.i32]), Assembly.get(0) + Assembly.get(1) + [opcode]
                ).instance()
                for first in Self.edges {
                    for second in Self.edges {
                        let result = UInt32(truncatingIfNeeded: first) &+ UInt32(bitPattern: constant)
                        let compared = reads == 0 ? UInt64(result) : UInt64(bitPattern: second)
                        let holds = try compare.call("run", [UInt64(result), compared]) == [1]
                        #expect(
                            try assembly.run(UInt64(bitPattern: first), UInt64(bitPattern: second))
                                == [UInt64(holds ? result &+ 1_000 : result)])
                    }
                }
            }
        }
    }

    @Test("two additions of constants happen one after the other")
    func twoAdditions() throws {
        let pair = FunctionType([.i32, .i32], to: [.i32, .i32])
        func add(_ from: UInt8, _ constant: Int32, to local: UInt8) -> [UInt8] {
            Assembly.get(from) + Assembly.i32(constant) + [0x6a, 0x21, local]
        }
        let both = Assembly.get(0) + Assembly.get(1)
        for (body, results) in [
            (add(0, 1, to: 0) + add(1, -2, to: 1), [0, 0xffff_ffff]),
            (add(1, 5, to: 0) + add(0, .max, to: 0), [0x8000_0005, 1]),
            (add(1, 5, to: 0) + add(1, 7, to: 1), [6, 8]),
        ] as [([UInt8], [UInt64])] {
            let assembly = Assembly.running(pair, body + both)
            #expect(try assembly.run(0xffff_ffff, 1) == results)
            #expect(try Self.operations(assembly).contains(.i32AddConstantTwo))
        }
        // The first one of these is entered by a branch from the loop's end, the second one only from there.
        let loop: [UInt8] =
            add(0, 1, to: 0) + [0x03, 0x40] + add(1, 1, to: 1) + Assembly.get(1) + Assembly.i32(5) + [
                0x48, 0x0d, 0, 0x0b,
            ]
        #expect(try Assembly.running(pair, loop + both).run(7, 0) == [8, 5])
    }

    @Test("copies happen one after the other, and are not joined across a place where branches come in")
    func copies() throws {
        let triple = FunctionType([.i32, .i32, .i32], to: [.i32, .i32, .i32])
        let all = Assembly.get(0) + Assembly.get(1) + Assembly.get(2)
        func set(_ locals: UInt8...) -> [UInt8] { locals.flatMap { [0x21, $0] } }
        // Turned through the stack, in both directions; one value into all; a chain.
        let chain: [UInt8] = Assembly.get(0) + set(1) + Assembly.get(1) + set(2) + Assembly.get(2) + set(0)
        for (body, results) in [
            (all + set(0, 2, 1), [3, 1, 2]), (all + set(1, 0, 2), [2, 3, 1]),
            (Assembly.get(2) + set(0) + Assembly.get(2) + set(1), [3, 3, 3]), (chain, [1, 1, 1]),
        ] as [([UInt8], [UInt64])] {
            let assembly = Assembly.running(triple, body + all)
            #expect(try assembly.run(1, 2, 3) == results)
            #expect(try Self.operations(assembly).contains(.copyTwo))
        }
        // (if (local.get 0) (local.set 1 (local.get 2))) (local.set 2 (local.get 0))
        let joining: [UInt8] =
            Assembly.get(0) + [0x04, 0x40] + Assembly.get(2) + set(1) + [0x0b] + Assembly.get(0) + set(2)
        #expect(try Assembly.running(triple, joining + all).run(0, 2, 3) == [0, 2, 0])
        #expect(try Assembly.running(triple, joining + all).run(9, 2, 3) == [9, 3, 9])
    }

    @Test("an access at a sum reaches what one at the sum's value reaches", arguments: UInt8(0x28)...0x3e)
    func sums(opcode: UInt8) throws {
        let (type, _) = Signatures.memory[Int(opcode) - 0x28]
        let isLoad = opcode < 0x36
        // Behind a store the bytes around it are read, low half of the memory's last 16.
        func assembly(_ address: [UInt8], offset: UInt8) -> Assembly {
            let value: [UInt8] = isLoad ? [] : [0x20, 2]
            var assembly = Assembly.running(
                FunctionType([.i32, .i32, type], to: isLoad ? [type] : []), pages: 1,
                address + value + [opcode, 0, offset])
            assembly.function(FunctionType([.i32], to: [.i64]), export: "read", Assembly.get(0) + [0x29, 0, 0])
            assembly.data = [
                [0] + Assembly.i32(0) + [0x0b, 16] + Array(0xf0...0xff),
                [0] + Assembly.i32(65_520) + [0x0b, 16] + Array(0x78...0x87),
            ]
            return assembly
        }
        func outcomes(_ assembly: Assembly, _ arguments: [UInt64]) throws -> [Result<[UInt64], Trap>] {
            let instance = try assembly.instance()
            let first = Self.outcome(instance, arguments)
            return [first] + (try [0, 8, 65_520, 65_528].map { .success(try instance.call("read", [$0])) })
        }
        let value: UInt64 = 0x8182_8384_8586_8788
        for offset in [0, 3] as [UInt8] {
            let plain = assembly(Assembly.get(0), offset: offset)
            let variable = assembly(Assembly.get(0) + Assembly.get(1) + [0x6a], offset: offset)
            #expect(try Self.operations(variable).contains(try #require(Operation(rawValue: UInt16(opcode) + 0x200))))
            for second in [0, 1, 65_530, -1, -8, .min, .max] as [Int32] {
                let fixed = assembly(Assembly.get(0) + Assembly.i32(second) + [0x6a], offset: offset)
                #expect(try !Self.operations(fixed).contains(.i32AddConstant))
                for address in [0, 5, 65_519, 65_520, 65_525, 65_528, 65_532, 65_535, 65_536, .max] as [UInt32] {
                    let first = address &- UInt32(bitPattern: second)
                    let expected = try outcomes(plain, [UInt64(address), 0, value])
                    let operands = [UInt64(first), UInt64(UInt32(bitPattern: second)), value]
                    #expect(try outcomes(variable, operands) == expected)
                    #expect(try outcomes(fixed, operands) == expected)
                }
            }
        }
    }

    @Test("a value that another instruction needs too is not joined away")
    func kept() throws {
        // (local.tee 1 (local.get 0 + 4)) is an address, and the result beside what is there.
        let body: [UInt8] = Assembly.get(0) + Assembly.i32(4) + [0x6a, 0x22, 1, 0x28, 0, 0] + Assembly.get(1) + [0x6a]
        #expect(try Assembly.running(FunctionType([.i32], to: [.i32]), locals: [.i32], pages: 1, body).run(8) == [12])
        // (local.tee 1 (local.get 0 < 5)) is a condition, and the result.
        let condition: [UInt8] =
            Assembly.get(0) + Assembly.i32(5) + [0x48, 0x22, 1, 0x04, 0x40, 0x01, 0x0b] + Assembly.get(1)
        let assembly = Assembly.running(FunctionType([.i32], to: [.i32]), locals: [.i32], condition)
        #expect(try [4, 5].map { try assembly.run($0) } == [[1], [0]])
    }

    @Test("locals begin with zero, in each call anew, and each counts as a step", arguments: [1, 2, 3, 9] as [UInt8])
    func locals(count: UInt8) throws {
        let types = Array(repeating: ValueType.i64, count: Int(count))
        let reads = (1...count).reduce(into: Assembly.get(0)) { $0 += Assembly.get($1) + [0x84] }
        let writes = (1...count).flatMap { Assembly.i64(-1) + [0x21, $0] }
        var assembly = Assembly()
        let inner = assembly.function(
            FunctionType([.i64], to: [.i64]), locals: types, reads + [0x21, 0] + writes + Assembly.get(0))
        let call: [UInt8] = Assembly.get(0) + [0x10, UInt8(inner)]
        assembly.function(FunctionType([.i64], to: [.i64]), export: "run", call + [0x1a] + call)
        let instance = try assembly.instance()
        let fuel = instance.fuel
        #expect(try instance.call("run", [5]) == [5])
        // In each of two calls: zeros, reads, writes, the return; and around them two arguments, calls, a return.
        #expect(fuel - instance.fuel == 2 * (3 * Int64(count) + 1) + 5)
    }

    @Test("each operation has one row in the table, but for those that need the instance")
    func rows() {
        let rows = Handlers.rows.flatMap(\.0)
        #expect(Set(rows).count == rows.count)
        let outside: Set<Operation> = [
            .memorySize, .memoryGrow, .memoryInit, .dataDrop, .memoryCopy, .memoryFill, .tableInit, .elemDrop,
            .tableCopy,
        ]
        #expect(Set(rows) == Set(Operation.allCases).subtracting(outside))
    }

    @Test(
        "steps are counted one by one, however many follow each other", arguments: [1, 1_000, 1_024, 5_000] as [UInt64])
    func fuel(rounds: UInt64) throws {
        // (loop (local.set 1 (local.get 1 * 3)) (br_if 0 (local.tee 0 (local.get 0 - 1)))) (local.get 1)
        let body: [UInt8] =
            [0x03, 0x40] + Assembly.get(1) + Assembly.i32(3) + [0x6c, 0x21, 1] + Assembly.get(0) + Assembly.i32(1)
            + [0x6b, 0x22, 0, 0x0d, 0, 0x0b] + Assembly.get(1)
        let assembly = Assembly.running(FunctionType([.i32], to: [.i32]), locals: [.i32], body)
        var limits = ExecutionLimits()
        // Three in each round, the local's zero, and the return.
        limits.fuel = Int64(3 * rounds + 2)
        let instance = try assembly.instance(limits)
        #expect(try instance.call("run", [rounds]) == [0])
        #expect(instance.fuel == 0)
        limits.fuel -= 1
        let short = try assembly.instance(limits)
        #expect(throws: Trap.outOfFuel) { try short.call("run", [rounds]) }
        #expect(short.fuel == 0)
    }
}
