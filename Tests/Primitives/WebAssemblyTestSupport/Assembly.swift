import WebAssembly

/// A module put together by hand: sections in their order, each with what tests put into it.
package struct Assembly {
    package var types: [FunctionType] = []
    /// Whole entries of their sections.
    package var imports: [[UInt8]] = []
    package var tables: [[UInt8]] = []
    package var memories: [[UInt8]] = []
    package var globals: [[UInt8]] = []
    package var exports: [[UInt8]] = []
    package var elements: [[UInt8]] = []
    package var data: [[UInt8]] = []
    package var statesDataCount = false
    package var start: UInt32?
    package var custom: [[UInt8]] = []
    private var functionTypes: [UInt32] = []
    private var bodies: [[UInt8]] = []
    private var importedCount: UInt32 = 0

    package init() {}

    /// A module with one exported function, `run`.
    package static func running(
        _ type: FunctionType, locals: [ValueType] = [], pages: UInt32? = nil, _ body: [UInt8]
    ) -> Assembly {
        var assembly = Assembly()
        if let pages { assembly.memory(pages) }
        assembly.function(type, locals: locals, export: "run", body)
        return assembly
    }

    package mutating func typeIndex(_ type: FunctionType) -> UInt32 {
        if let index = types.firstIndex(of: type) { return UInt32(index) }
        types.append(type)
        return UInt32(types.count - 1)
    }

    package mutating func importFunction(_ name: String, _ type: FunctionType) {
        imports.append(Self.name("env") + Self.name(name) + [0] + Self.unsigned(typeIndex(type)))
        importedCount += 1
    }

    /// - Parameter body: without the last `end`.
    @discardableResult
    package mutating func function(
        _ type: FunctionType, locals: [ValueType] = [], export: String? = nil, _ body: [UInt8]
    ) -> UInt32 {
        functionTypes.append(typeIndex(type))
        let groups = locals.map { [1, $0.rawValue] }
        let code = Self.vector(groups) + body + [0x0b]
        bodies.append(Self.unsigned(UInt32(code.count)) + code)
        let index = importedCount + UInt32(bodies.count - 1)
        if let export { exports.append(Self.name(export) + [0] + Self.unsigned(index)) }
        return index
    }

    package mutating func memory(_ minimum: UInt32, maximum: UInt32? = nil) {
        memories.append([maximum == nil ? 0 : 1] + Self.unsigned(minimum) + (maximum.map(Self.unsigned) ?? []))
    }

    package mutating func table(_ entries: [UInt32]) {
        tables.append([0x70, 0] + Self.unsigned(UInt32(entries.count)))
        elements.append([0, 0x41, 0, 0x0b] + Self.vector(entries.map(Self.unsigned)))
    }

    package mutating func activeData(_ offset: UInt8, _ bytes: [UInt8]) {
        data.append([0, 0x41, offset, 0x0b] + Self.unsigned(UInt32(bytes.count)) + bytes)
    }

    package var bytes: [UInt8] {
        let typeEntries = types.map {
            [0x60] + Self.vector($0.parameters.map { [$0.rawValue] }) + Self.vector($0.results.map { [$0.rawValue] })
        }
        var sections: [(UInt8, [[UInt8]])] = [
            (1, typeEntries), (2, imports), (3, functionTypes.map(Self.unsigned)), (4, tables), (5, memories),
            (6, globals), (7, exports),
        ]
        sections.append((9, elements))
        sections.append((10, bodies))
        sections.append((11, data))
        var bytes: [UInt8] = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
        for (id, entries) in sections {
            if id == 9, let start { bytes += Self.section(8, Self.unsigned(start)) }
            if id == 10, statesDataCount { bytes += Self.section(12, Self.unsigned(UInt32(data.count))) }
            if !entries.isEmpty { bytes += Self.section(id, Self.vector(entries)) }
        }
        for section in custom { bytes += Self.section(0, section) }
        return bytes
    }

    package func module() throws(ModuleError) -> Module { try Module(bytes) }

    package func instance(_ limits: ExecutionLimits = .init()) throws -> Instance<NoHost> {
        try Instance(of: try module(), host: NoHost(), limits: limits)
    }

    /// The results of `run`.
    package func run(_ arguments: UInt64...) throws -> [UInt64] { try instance().call("run", arguments) }

    // MARK: The binary format

    package static func section(_ id: UInt8, _ content: [UInt8]) -> [UInt8] {
        [id] + unsigned(UInt32(content.count)) + content
    }

    package static func vector(_ items: [[UInt8]]) -> [UInt8] { unsigned(UInt32(items.count)) + items.flatMap { $0 } }

    package static func name(_ text: String) -> [UInt8] { unsigned(UInt32(text.utf8.count)) + Array(text.utf8) }

    package static func unsigned(_ value: UInt32) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    package static func signed(_ value: Int64) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        while true {
            let low = UInt8(truncatingIfNeeded: rest) & 0x7f
            rest >>= 7
            if rest == (low & 0x40 == 0 ? 0 : -1) { return bytes + [low] }
            bytes.append(low | 0x80)
        }
    }

    package static func i32(_ value: Int32) -> [UInt8] { [0x41] + signed(Int64(value)) }
    package static func i64(_ value: Int64) -> [UInt8] { [0x42] + signed(value) }
    package static func f32(_ value: Float) -> [UInt8] {
        [0x43] + withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
    }
    package static func f64(_ value: Double) -> [UInt8] {
        [0x44] + withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
    }
    /// The value of a parameter or local.
    package static func get(_ local: UInt8) -> [UInt8] { [0x20, local] }
}
