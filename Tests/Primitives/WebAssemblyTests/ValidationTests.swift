import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// What is no valid code (core specification 1.0, section 3).
@Suite("Validation of WebAssembly")
struct ValidationTests {
    private static let one = Assembly.i32(1)

    private static func fault(
        _ body: [UInt8], _ type: FunctionType = FunctionType(), locals: [ValueType] = [], pages: UInt32? = nil
    ) -> ModuleFault? {
        do throws(ModuleError) {
            _ = try Assembly.running(type, locals: locals, pages: pages, body).module()
            return nil
        } catch {
            return error.fault
        }
    }

    @Test("operands have to be there, and of their types")
    func operands() {
        #expect(Self.fault([0x6a]) == .operand(expected: .i32, found: nil))
        #expect(Self.fault(Self.one + Assembly.i64(1) + [0x6a, 0x1a]) == .operand(expected: .i32, found: .i64))
        #expect(Self.fault([0x1a]) == .invalid("nothing is on the stack"))
        #expect(Self.fault(Self.one) == .invalid("values are left on the stack at the end of a block"))
        #expect(Self.fault([], FunctionType(to: [.i32])) == .operand(expected: .i32, found: nil))
        #expect(Self.fault(Self.one + [0x21, 0], locals: [.f32]) == .operand(expected: .f32, found: .i32))
        #expect(
            Self.fault(Self.one + Assembly.i64(1) + Self.one + [0x1b, 0x1a])
                == .invalid("select between values of different types"))
    }

    @Test("numbers behind a prefix that no instruction has are refused, whatever translation uses them for")
    func prefixes() {
        for number in UInt32(18)...2_000 {
            let body: [UInt8] = Self.one + Self.one + Self.one + [0xfc] + Assembly.unsigned(number) + [0, 0]
            #expect(Self.fault(body, pages: 1) == .malformed("0xfc \(number) is no instruction"))
        }
        for number in UInt8(15)...17 {
            #expect(Self.fault([0xfc, number]) == .unsupported("an instruction of reference types"))
        }
    }

    @Test("a block sees nothing of what is below it, and leaves what it says")
    func blocks() {
        #expect(Self.fault(Self.one + [0x02, 0x40, 0x1a, 0x0b]) == .invalid("nothing is on the stack"))
        #expect(Self.fault([0x02, 0x7f, 0x0b, 0x1a]) == .operand(expected: .i32, found: nil))
        #expect(
            Self.fault(Self.one + [0x04, 0x7f] + Self.one + [0x0b, 0x1a])
                == .invalid("an if without else that changes the stack"))
        #expect(Self.fault([0x05]) == .malformed("else without if"))
        #expect(Self.fault(Self.one + [0x04, 0x40, 0x05, 0x05, 0x0b]) == .malformed("else without if"))
        #expect(Self.fault([0x0c, 1]) == .unknown(kind: "label", index: 1))
        #expect(Self.fault([0x02, 0x7f, 0x0c, 0, 0x0b, 0x1a]) == .operand(expected: .i32, found: nil))
        #expect(
            Self.fault([0x02, 0x40, 0x02, 0x7f] + Self.one + Self.one + [0x0e, 1, 0, 1, 0x0b, 0x1a, 0x0b])
                == .invalid("targets of a branch that take different values"))
    }

    @Test("behind what never goes on, the stack has whatever is asked for, and no more than that")
    func unreachable() {
        for end in [[0x00], [0x0c, 0], [0x0f], Self.one + [0x0e, 0, 0]] as [[UInt8]] {
            #expect(Self.fault(end + [0x6a, 0x1a]) == nil)
            #expect(Self.fault(end + [0x1b, 0x1a]) == nil)
            #expect(Self.fault(end + Assembly.i64(0) + [0x6a, 0x1a]) == .operand(expected: .i32, found: .i64))
            #expect(Self.fault(end + [0x1b, 0xa7, 0x1a]) == nil)
            #expect(Self.fault(end + Assembly.i64(0) + [0x1b, 0x1a]) == .operand(expected: .i32, found: .i64))
            #expect(Self.fault(end + [0x02, 0x40, 0x6a, 0x1a, 0x0b]) == .operand(expected: .i32, found: nil))
            #expect(Self.fault(end + [0x02, 0x7f, 0x0c, 1, 0x0b, 0x1a]) == nil)
            #expect(Self.fault(end + [0x04, 0x40, 0x05, 0x0b]) == nil)
            #expect(Self.fault(end + Self.one + [0x02, 0x40]) != nil)
        }
        #expect(Self.fault([0x02, 0x7f, 0x00, 0x0d, 0, 0x0b, 0x1a]) == nil)
        // A table of branches asks for the value of each target, and leaves one of an unknown type unknown.
        let (opening, table): ([UInt8], [UInt8]) = ([0x02, 0x7f, 0x02, 0x7d, 0x00], [0x0e, 1, 0, 1, 0x0b])
        let closing = [0x1a] + Self.one + [0x0b, 0x1a]
        #expect(Self.fault(opening + table + closing) == nil)
        #expect(
            Self.fault(opening + Self.one + Self.one + table + closing) == .operand(expected: .f32, found: .i32))
        #expect(Self.fault([0x02, 0x7f, 0x00, 0x0d, 0, 0xa7, 0x0b, 0x1a]) == .operand(expected: .i64, found: .i32))
    }

    @Test("indices, alignments and what does not change are checked")
    func indices() {
        #expect(Self.fault([0x20, 0]) == .unknown(kind: "local", index: 0))
        #expect(Self.fault([0x23, 0]) == .unknown(kind: "global", index: 0))
        #expect(Self.fault([0x10, 1]) == .unknown(kind: "function", index: 1))
        #expect(Self.fault(Self.one + [0x11, 7, 0]) == .unknown(kind: "type", index: 7))
        #expect(Self.fault(Self.one + [0x11, 0, 0]) == .unknown(kind: "table", index: 0))
        #expect(Self.fault(Self.one + [0x28, 2, 0, 0x1a]) == .unknown(kind: "memory", index: 0))
        #expect(
            Self.fault(Self.one + [0x28, 3, 0, 0x1a], pages: 1)
                == .invalid("an access that claims to be aligned better than its size"))
        var assembly = Assembly.running(FunctionType(), Self.one + [0x24, 0])
        assembly.globals = [[0x7f, 0] + Self.one + [0x0b]]
        #expect(throws: ModuleError.self) { try assembly.module() }
        assembly.globals = [[0x7f, 1] + Self.one + [0x0b]]
        #expect(throws: Never.self) { try assembly.module() }
        assembly.globals = [[0x7f, 1] + Assembly.i64(1) + [0x0b]]
        #expect(throws: ModuleError.self) { try assembly.module() }
    }

    @Test(
        "what later versions brought is refused by its name, where it stands",
        arguments: [
            ([0xfd, 12], "an instruction of SIMD is not supported"),
            ([0xfe, 0], "an instruction of threads is not supported"),
            ([0x12, 0], "a tail call is not supported"),
            ([0x06, 0x40], "an instruction of exceptions is not supported"),
            ([0xd0, 0x70], "an instruction of reference types is not supported"),
            ([0xfc, 15, 0], "an instruction of reference types is not supported"),
            ([0xfb, 0], "an instruction of garbage collection is not supported"),
            ([0x1c, 1, 0x7f], "select with a type (reference types) is not supported"),
            ([0x02, 0x7b, 0x0b], "the type v128 (SIMD) is not supported"),
            ([0x02, 0x6e, 0x0b], "a reference as a value (reference types) is not supported"),
            ([0x27], "39 is no instruction"), ([0xfc, 99], "0xfc 99 is no instruction"),
        ] as [([UInt8], String)])
    func unsupported(body: [UInt8], text: String) throws {
        let assembly = Assembly.running(FunctionType(), [0x01] + body)
        let error = #expect(throws: ModuleError.self) { try assembly.module() }
        // The magic, types, functions, exports; the code's head, its first instruction.
        let offset = try #require(assembly.bytes.lastRange(of: [0x01] + body)).lowerBound + 1
        let place = body[0] == 0x02 ? offset + 1 : offset
        #expect(error?.description == "at byte \(place): \(text)")
    }

    @Test("frames, nesting and tables have their limits")
    func limits() {
        var body = Array(repeating: [0x02, 0x40] as [UInt8], count: ModuleLimits.nesting + 1).flatMap { $0 }
        body += Array(repeating: 0x0b, count: ModuleLimits.nesting + 1)
        #expect(Self.fault(body) == .tooMany(kind: "nested blocks", limit: ModuleLimits.nesting))
        let deep = Array(repeating: Self.one, count: ModuleLimits.frame + 1).flatMap { $0 }
        #expect(Self.fault(deep + [0x00]) == .tooMany(kind: "values in a call", limit: ModuleLimits.frame))
        var assembly = Assembly.running(FunctionType(), [])
        assembly.memories = [[1, 2, 1]]
        #expect(throws: ModuleError.self) { try assembly.module() }
        assembly.memories = [[0, 1], [0, 1]]
        #expect(throws: ModuleError.self) { try assembly.module() }
        assembly.memories = [[0] + Assembly.unsigned(65_537)]
        #expect(throws: ModuleError.self) { try assembly.module() }
        assembly.memories = [[3, 1, 1]]
        let error = #expect(throws: ModuleError.self) { try assembly.module() }
        #expect(error?.fault == .unsupported("a shared memory (threads)"))
    }
}

extension [UInt8] {
    fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).reversed().first { Array(self[$0..<$0 + part.count]) == part }
            .map { $0..<$0 + part.count }
    }
}
