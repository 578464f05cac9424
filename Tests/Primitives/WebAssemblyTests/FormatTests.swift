import TestSupport
import Testing
import WebAssemblyTestSupport

@testable import WebAssembly

/// The binary format, read to the letter (core specification 1.0, section 5).
@Suite("The binary format of WebAssembly")
struct FormatTests {
    private static let head: [UInt8] = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

    private static func fault(_ bytes: [UInt8]) -> ModuleFault? {
        do throws(ModuleError) {
            _ = try Module(bytes)
            return nil
        } catch {
            return error.fault
        }
    }

    @Test("the smallest module is its head")
    func head() {
        #expect(Self.fault(Self.head) == nil)
        #expect(Self.fault([]) == .notWebAssembly)
        #expect(Self.fault([0x7f, 0x45, 0x4c, 0x46, 1, 0, 0, 0]) == .notWebAssembly)
        #expect(Self.fault(Array(Self.head[..<7])) == .truncated)
        #expect(Self.fault([0x00, 0x61, 0x73, 0x6d, 13, 0, 1, 0]) == .version(65_549))
    }

    @Test("sections stand once, in their order, and end where they say")
    func sections() {
        let types = Assembly.section(1, [0])
        #expect(Self.fault(Self.head + types + types) == .malformed("section 1 is out of place"))
        #expect(Self.fault(Self.head + Assembly.section(3, [0]) + types) == .malformed("section 1 is out of place"))
        #expect(Self.fault(Self.head + [1, 2, 0, 0]) == .malformed("1 bytes of section 1 are left over"))
        #expect(Self.fault(Self.head + [1, 2, 0]) == .truncated)
        #expect(Self.fault(Self.head + [1, 1, 1]) == .truncated)
        #expect(Self.fault(Self.head + Assembly.section(14, [])) == .malformed("section 14"))
        #expect(Self.fault(Self.head + Assembly.section(13, [0])) == .unsupported("a section of tags (exceptions)"))
        #expect(Self.fault(Self.head + Assembly.section(0, [5, 0x61])) == .truncated)
        #expect(Self.fault(Self.head + Assembly.section(0, [1, 0xff])) == .malformed("a name that is not UTF-8"))
    }

    @Test("functions and their code are as many, and so are segments and their stated count")
    func counts() {
        let type = Assembly.section(1, [1, 0x60, 0, 0])
        #expect(Self.fault(Self.head + type + Assembly.section(3, [1, 0])) == .malformed("1 functions and code of 0"))
        #expect(
            Self.fault(
                Self.head + type + Assembly.section(3, [1, 0]) + Assembly.section(10, [2, 2, 0, 0x0b, 2, 0, 0x0b]))
                == .malformed("1 functions and code of 2"))
        #expect(
            Self.fault(Self.head + Assembly.section(12, [1]))
                == .malformed("the count of data segments is another than is stated"))
    }

    @Test("numbers are as short as they may be long, and no longer")
    func numbers() throws {
        func unsigned(_ bytes: [UInt8]) throws(ModuleError) -> UInt32 {
            var reader = ModuleReader(bytes, in: bytes.indices)
            return try reader.unsigned32()
        }
        func signed(_ bytes: [UInt8], _ bits: Int) throws(ModuleError) -> Int64 {
            var reader = ModuleReader(bytes, in: bytes.indices)
            return try reader.signed(bits: bits)
        }
        #expect(try unsigned([0xff, 0xff, 0xff, 0xff, 0x0f]) == .max)
        #expect(try unsigned([0x80, 0x80, 0x80, 0x80, 0x00]) == 0)
        #expect(throws: ModuleError.self) { try unsigned([0xff, 0xff, 0xff, 0xff, 0x1f]) }
        #expect(throws: ModuleError.self) { try unsigned([0x80, 0x80, 0x80, 0x80, 0x80, 0x00]) }
        #expect(try signed([0x80, 0x80, 0x80, 0x80, 0x78], 32) == Int64(Int32.min))
        #expect(try signed([0xff, 0xff, 0xff, 0xff, 0x07], 32) == Int64(Int32.max))
        #expect(try signed([0x7f], 64) == -1)
        #expect(throws: ModuleError.self) { try signed([0xff, 0xff, 0xff, 0xff, 0x0f], 32) }
        #expect(throws: ModuleError.self) { try signed([0x80, 0x80, 0x80, 0x80, 0x70], 32) }
        #expect(try signed([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f], 64) == .min)
        #expect(throws: ModuleError.self) {
            try signed([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7e], 64)
        }
        for value in [0, 1, -1, 63, 64, -64, -65, .min, .max] as [Int64] {
            #expect(try signed(Assembly.signed(value), 64) == value)
        }
    }

    @Test("the type of a block is one byte where it is no index, and an index is as long as it likes")
    func blockTypes() {
        func fault(_ type: [UInt8]) -> ModuleFault? {
            Self.fault(Assembly.running(FunctionType(), [0x02] + type + [0x0b]).bytes)
        }
        for type in [[0x40], [0x00], [0x80, 0x00]] as [[UInt8]] { #expect(fault(type) == nil) }
        for type in [[0xc0, 0x7f], [0xc0, 0xff, 0x7f], [0xff, 0x7f]] as [[UInt8]] {
            #expect(fault(type) == .malformed("\(type[0]) is no type of values"))
        }
    }

    @Test("exports have one name each, and name what there is")
    func exports() {
        var assembly = Assembly.running(FunctionType(), [])
        assembly.exports.append(assembly.exports[0])
        #expect(Self.fault(assembly.bytes) == .invalid("a name is exported twice"))
        assembly.exports = [Assembly.name("memory") + [2, 0]]
        #expect(Self.fault(assembly.bytes) == .unknown(kind: "memory", index: 0))
    }

    @Test("names are bytes: two spellings of one text are two exports, and two sections")
    func spellings() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        var assembly = Assembly.running(FunctionType(), [])
        let export = assembly.exports[0].dropFirst(Assembly.name("run").count)
        assembly.exports = [Assembly.name(composed) + export, Assembly.name(decomposed) + export]
        assembly.custom = [Assembly.name(composed) + [1], Assembly.name(decomposed) + [2]]
        let module = try assembly.module()
        #expect(module.exportedNames.count == 2)
        #expect(module.customSection(decomposed) == [2])
        assembly.exports.removeLast()
        let one = try assembly.module()
        #expect(one.exportedFunction(composed) != nil && one.exportedFunction(decomposed) == nil)
    }

    @Test("custom sections are found by name, and imports told as they are")
    func custom() throws {
        var assembly = Assembly()
        assembly.imports = [Assembly.name("env") + Assembly.name("memory") + [2, 0, 20]]
        assembly.custom = [Assembly.name("a") + [1, 2], Assembly.name("a") + [3]]
        let module = try assembly.module()
        #expect(module.customSection("a") == [1, 2])
        #expect(module.customSection("b") == nil)
        #expect(module.imports.map(\.type) == [.memory(SizeLimits(minimum: 20, maximum: nil))])
    }

    @Test("random bytes, and modules with wrong bits, cut or made longer, give a module or an error, and run to an end")
    func random() throws {
        var random = SplitMix64(state: 7)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in random.byte() }
            Self.exercise(Self.head + bytes)
        }
        var generator = ModuleGenerator(seed: 11)
        for _ in 0..<60 {
            let module = generator.module(functions: 3).bytes
            for _ in 0..<60 {
                var bytes = module
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes = bytes.flipping(bit: Int.random(in: 0..<bytes.count * 8, using: &random))
                }
                if random.byte() < 30 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
                Self.exercise(bytes)
            }
        }
    }

    /// Runs whatever can be run.
    static func exercise(_ bytes: [UInt8]) {
        guard let module = try? Module(bytes) else { return }
        var limits = ExecutionLimits()
        (limits.fuel, limits.memoryPages, limits.stackValues) = (20_000, 16, 70_000)
        guard let instance = try? Instance(of: module, host: NoHost(), limits: limits) else { return }
        for name in module.exportedNames {
            guard let type = module.exportedFunction(name) else { continue }
            _ = try? instance.call(name, type.parameters.map { _ in 3 })
        }
    }
}
