import TestSupport
import WebAssemblyTestSupport

@testable import WebAssembly

/// Makes valid modules of random code that ends: functions of four parameters, and exports without parameters that call
/// them. What the core specification leaves open (the bits of what is not a number) is never looked at.
struct ModuleGenerator {
    private var random: SplitMix64
    private var assembly = Assembly()
    /// Functions that may be called, by the type of their result.
    private var callable: [(index: UInt32, result: ValueType)] = []
    /// Blocks around, innermost last: what a branch brings, and whether it may be taken.
    private var labels: [(type: ValueType?, isOpen: Bool)] = []
    private var loops: UInt8 = 0
    private var result = ValueType.i32

    private static let types: [ValueType] = [.i32, .i64, .f32, .f64]
    /// Numeric instructions by their result.
    private static let numeric: [ValueType: [(code: UInt16, Signatures.Signature)]] = {
        let all = (UInt16(0x45)...0x107).compactMap { code in Signatures.numeric(code).map { (code, $0) } }
        return Dictionary(grouping: all) { $0.1.result }
    }()
    private static let spareF32: UInt8 = 8
    private static let spareF64: UInt8 = 9
    private static let counters: UInt8 = 10
    private static let loopLimit: UInt8 = 3

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func module(functions: Int) -> Assembly {
        assembly = Assembly()
        callable = []
        assembly.memory(1, maximum: 2)
        assembly.globals = [
            [0x7f, 1] + Assembly.i32(1) + [0x0b], [0x7e, 1] + Assembly.i64(2) + [0x0b],
            [0x7d, 1] + Assembly.f32(3) + [0x0b], [0x7c, 1] + Assembly.f64(4) + [0x0b],
        ]
        for number in 0..<functions {
            result = Self.types[Int(random.next() % 4)]
            (labels, loops) = ([(result, true)], 0)
            let locals = Self.types + [.f32, .f64] + Array(repeating: .i32, count: Int(Self.loopLimit))
            var body: [UInt8] = []
            for _ in 0..<random.next() % 6 { body += statement(3) }
            body += value(result, 4)
            let index = assembly.function(FunctionType(Self.types, to: [result]), locals: locals, body)
            callable.append((index, result))
            export("f\(number)", of: index)
        }
        return assembly
    }

    /// The bits of a result, and 0 for what is not a number.
    private mutating func export(_ name: String, of index: UInt32) {
        let call = Self.types.flatMap { constant($0) } + [0x10] + Assembly.unsigned(index)
        switch result {
        case .i32, .i64: assembly.function(FunctionType(to: [result]), export: name, call)
        case .f32:
            assembly.function(FunctionType(to: [.i32]), locals: [.f32], export: name, call + Self.bits(.f32, spare: 0))
        case .f64:
            assembly.function(FunctionType(to: [.i64]), locals: [.f64], export: name, call + Self.bits(.f64, spare: 0))
        }
    }

    private static func bits(_ type: ValueType, spare: UInt8) -> [UInt8] {
        let (reinterpret, equal): (UInt8, UInt8) = type == .f32 ? (0xbc, 0x5b) : (0xbd, 0x61)
        return [0x22, spare, reinterpret] + (type == .f32 ? Assembly.i32(0) : Assembly.i64(0)) + Assembly.get(spare)
            + Assembly.get(spare) + [equal, 0x1b]
    }

    private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    private mutating func constant(_ type: ValueType) -> [UInt8] {
        let bits = random.next()
        let edges: [Int64] = [0, 1, -1, 2, 31, 32, 63, .max, .min, Int64(Int32.max), Int64(Int32.min), 0x8000, -128]
        let integer = chance(60) ? edges[Int(bits % UInt64(edges.count))] : Int64(bitPattern: bits)
        let floats: [Double] = [
            0, -0.0, 1, -1.5, 2.5, 0.5, 1e10, -1e20, 0x1p31, 0x1p63, 0x1p-1060, .infinity, -.infinity, .nan,
        ]
        let float = chance(60) ? floats[Int(bits % UInt64(floats.count))] : Double(integer) / 3
        return switch type {
        case .i32: Assembly.i32(Int32(truncatingIfNeeded: integer))
        case .i64: Assembly.i64(integer)
        case .f32: Assembly.f32(Float(float))
        case .f64: Assembly.f64(float)
        }
    }

    /// A parameter or local of a type.
    private mutating func local(_ type: ValueType) -> UInt8 {
        UInt8(Self.types.firstIndex(of: type) ?? 0) + (chance(50) ? 4 : 0)
    }

    private mutating func leaf(_ type: ValueType) -> [UInt8] {
        switch random.next() % 5 {
        case 0, 1: Assembly.get(local(type))
        case 2: [0x23, UInt8(Self.types.firstIndex(of: type) ?? 0)]
        default: constant(type)
        }
    }

    private mutating func value(_ type: ValueType, _ depth: Int) -> [UInt8] {
        guard depth > 0 else { return leaf(type) }
        switch random.next() % 16 {
        case 0: return leaf(type)
        case 1: return value(type, depth - 1) + value(type, depth - 1) + condition(depth - 1) + [0x1b]
        case 2: return value(type, depth - 1) + [0x22, local(type)]
        case 3:
            let head = condition(depth - 1) + [0x04, type.rawValue]
            return head + inside(type) { $0.value(type, depth - 1) } + [0x05]
                + inside(type) { $0.value(type, depth - 1) }
                + [0x0b]
        case 4:
            return [0x02, type.rawValue]
                + inside(type) {
                    $0.statement(depth - 1) + $0.value(type, depth - 1) + $0.condition(depth - 1) + [0x0d, 0, 0x1a]
                        + $0.value(type, depth - 1)
                } + [0x0b]
        case 5:
            // Out of the function with a value, perhaps.
            return value(result, depth - 1) + condition(depth - 1) + [0x0d, UInt8(labels.count - 1), 0x1a]
                + value(type, depth - 1)
        case 6: return load(type, depth)
        case 7:
            guard loops == 0, let called = callable.filter({ $0.result == type }).randomElement(using: &random) else {
                return leaf(type)
            }
            return Self.types.flatMap { value($0, depth - 2) } + [0x10] + Assembly.unsigned(called.index)
        default: return numeric(type, depth)
        }
    }

    private mutating func numeric(_ type: ValueType, _ depth: Int) -> [UInt8] {
        guard let (code, signature) = Self.numeric[type]?.randomElement(using: &random) else { return leaf(type) }
        var bytes = value(signature.type, depth - 1)
        switch code {
        case 0xbc, 0xbd:
            return bytes + Self.bits(signature.type, spare: signature.type == .f32 ? Self.spareF32 : Self.spareF64)
        // A sign that may be that of what is not a number.
        case 0x98, 0xa6: return bytes + constant(type) + constant(type) + [code == 0x98 ? 0x96 : 0xa4, 0x1a]
        default: break
        }
        if signature.operands == 2 { bytes += value(signature.type, depth - 1) }
        return bytes + (code < 0x100 ? [UInt8(code)] : [0xfc, UInt8(code - 0x100)])
    }

    private mutating func condition(_ depth: Int) -> [UInt8] { value(.i32, max(0, depth)) }

    /// An address that is mostly within the memory.
    private mutating func address(_ depth: Int) -> [UInt8] {
        value(.i32, max(0, depth)) + (chance(97) ? Assembly.i32(0x7fff) + [0x71] : [])
    }

    private mutating func load(_ type: ValueType, _ depth: Int) -> [UInt8] {
        let codes: ClosedRange<UInt8> =
            switch type {
            case .i32: 0x2c...0x2f
            case .i64: 0x30...0x35
            case .f32, .f64: 0x2c...0x2c
            }
        guard type == .i32 || type == .i64 else { return constant(type) }
        let code = chance(40) ? (type == .i32 ? 0x28 : 0x29) : UInt8.random(in: codes, using: &random)
        return address(depth - 1) + [code, 0, UInt8.random(in: 0...100, using: &random)]
    }

    private mutating func inside(
        _ type: ValueType?, isOpen: Bool = true, _ body: (inout ModuleGenerator) -> [UInt8]
    ) -> [UInt8] {
        labels.append((type, isOpen))
        defer { labels.removeLast() }
        return body(&self)
    }

    private mutating func statement(_ depth: Int) -> [UInt8] {
        guard depth > 0 else { return [0x01] }
        let type = Self.types[Int(random.next() % 4)]
        switch random.next() % 10 {
        case 0, 1, 2: return value(type, depth) + [0x21, local(type)]
        case 3: return value(type, depth) + [0x24, UInt8(Self.types.firstIndex(of: type) ?? 0)]
        case 4:
            let isWide = chance(50)
            let code =
                isWide ? UInt8.random(in: 0x3c...0x3e, using: &random) : UInt8.random(in: 0x3a...0x3b, using: &random)
            return address(depth - 1) + value(isWide ? .i64 : .i32, depth - 1) + [code, 0, 7]
        case 5:
            return condition(depth) + [0x04, 0x40] + inside(nil) { $0.statement(depth - 1) } + [0x05]
                + inside(nil) { $0.statement(depth - 1) } + [0x0b]
        case 6: return loop(depth)
        case 7: return [0x02, 0x40] + inside(nil) { $0.statement(depth - 1) + $0.branch(depth - 1) } + [0x0b]
        case 8: return branch(depth)
        default: return value(type, depth) + [0x1a]
        }
    }

    private mutating func loop(_ depth: Int) -> [UInt8] {
        guard loops < Self.loopLimit else { return [] }
        let counter = Self.counters + loops
        loops += 1
        defer { loops -= 1 }
        return Assembly.i32(Int32(1 + random.next() % 3)) + [0x21, counter, 0x03, 0x40]
            + inside(nil, isOpen: false) { $0.statement(depth - 1) }
            + Assembly.get(counter) + Assembly.i32(1) + [0x6b, 0x22, counter, 0x0d, 0, 0x0b]
    }

    /// A branch, or a table of them, to a block that takes nothing.
    private mutating func branch(_ depth: Int) -> [UInt8] {
        let depths = labels.indices.filter { labels[$0].type == nil && labels[$0].isOpen }
            .map { UInt8(labels.count - 1 - $0) }
        guard let target = depths.randomElement(using: &random) else { return [] }
        if chance(30) {
            let targets = (0..<3).map { _ in depths.randomElement(using: &random) ?? target }
            return condition(depth - 1) + [0x0e, 3] + targets + [target]
        }
        return chance(80) ? condition(depth - 1) + [0x0d, target] : [0x0c, target]
    }
}
