/// Reads a module section by section (WebAssembly core specification 1.0, section 5.5).
struct ModuleParser {
    private(set) var module: Module
    private var reader: ModuleReader
    /// Types of the module's own functions, whose code follows.
    private var declared: [UInt32] = []
    private var bodies = 0

    private static let magic: UInt32 = 0x6d73_6100
    /// Sections in the order in which they stand.
    private static let order: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11]

    init(_ bytes: [UInt8]) throws(ModuleError) {
        module = Module(bytes: bytes)
        reader = ModuleReader(bytes, in: bytes.indices)
        guard bytes.count >= 4, try reader.fixed(UInt32.self) == Self.magic else {
            throw ModuleError(offset: 0, fault: .notWebAssembly)
        }
        let version = try reader.fixed(UInt32.self)
        guard version == 1 else { throw ModuleError(offset: 4, fault: .version(version)) }
        try sections()
        guard bodies == declared.count else {
            throw reader.error(.malformed("\(declared.count) functions and code of \(bodies)"))
        }
        // A module without code still calls what it imports.
        if declared.isEmpty { module.functions = FunctionCompiler(module, reader).functions }
        guard module.dataCount == nil || module.dataCount == module.data.count else {
            throw reader.error(.malformed("the count of data segments is another than is stated"))
        }
    }

    private mutating func sections() throws(ModuleError) {
        var last = -1
        while !reader.isAtEnd {
            let start = reader.position
            let section = try reader.byte()
            let byteCount = Int(try reader.unsigned32())
            if section == 0 {
                let name = try custom(byteCount)
                module.customSections.append(name)
                continue
            }
            guard let place = Self.order.firstIndex(of: section) else {
                throw reader.error(
                    section == 13 ? .unsupported("a section of tags (exceptions)") : .malformed("section \(section)"),
                    at: start)
            }
            guard place > last else { throw reader.error(.malformed("section \(section) is out of place"), at: start) }
            last = place
            let end = reader.position + byteCount
            guard byteCount <= reader.end - reader.position else { throw reader.error(.truncated) }
            let outer = reader
            reader = ModuleReader(outer.bytes, in: outer.position..<end)
            try read(section)
            guard reader.isAtEnd else {
                throw reader.error(.malformed("\(end - reader.position) bytes of section \(section) are left over"))
            }
            reader = ModuleReader(outer.bytes, in: end..<outer.end)
        }
    }

    private mutating func custom(_ byteCount: Int) throws(ModuleError) -> CustomSection {
        try reader.within(byteCount) { reader throws(ModuleError) in
            let name = try reader.name()
            return CustomSection(name: name, range: try reader.range(reader.end - reader.position))
        }
    }

    private mutating func read(_ section: UInt8) throws(ModuleError) {
        switch section {
        case 1: try types()
        case 2: try imports()
        case 3:
            declared = try reader.vector(of: "functions", limit: ModuleLimits.functions) {
                [module] reader throws(ModuleError) in
                try module.typeIndex(&reader)
            }
            module.functionTypes += declared
        case 4: try tables()
        case 5: try memories()
        case 6: try globals()
        case 7: try exports()
        case 8: try start()
        case 9: try elements()
        case 10: try code()
        case 11: try data()
        default: module.dataCount = try reader.count(of: "data segments", limit: ModuleLimits.segments)
        }
    }

    private mutating func types() throws(ModuleError) {
        module.types = try reader.vector(of: "types", limit: ModuleLimits.types) { reader throws(ModuleError) in
            let start = reader.position
            guard try reader.byte() == 0x60 else {
                throw reader.error(.malformed("a type that is no function's"), at: start)
            }
            return FunctionType(
                try reader.valueTypes("parameters", limit: ModuleLimits.parameters),
                to: try reader.valueTypes("results", limit: ModuleLimits.results))
        }
    }

    private mutating func imports() throws(ModuleError) {
        for _ in 0..<(try reader.count(of: "imports", limit: ModuleLimits.imports)) {
            let (space, name) = (try reader.name(), try reader.name())
            let type = try importType()
            module.imports.append(Import(module: space, name: name, type: type))
        }
    }

    private mutating func importType() throws(ModuleError) -> ExternalType {
        let start = reader.position
        switch try reader.byte() {
        case 0:
            let type = try module.typeIndex(&reader)
            module.functionTypes.append(type)
            return .function(module.types[Int(type)])
        case 1: return .table(try table())
        case 2: return .memory(try memory())
        case 3:
            let (type, isMutable) = try globalType()
            module.globals.append(Global(type: type, isMutable: isMutable, initial: nil))
            return .global(type, isMutable: isMutable)
        case let kind: throw reader.error(.malformed("\(kind) is no kind of import"), at: start)
        }
    }

    private mutating func tables() throws(ModuleError) {
        for _ in 0..<(try reader.count(of: "tables", limit: 1)) { _ = try table() }
    }

    private mutating func memories() throws(ModuleError) {
        for _ in 0..<(try reader.count(of: "memories", limit: 1)) { _ = try memory() }
    }

    private mutating func table() throws(ModuleError) -> SizeLimits {
        let start = reader.position
        guard module.table == nil else { throw reader.error(.tooMany(kind: "tables", limit: 1)) }
        let kind = try reader.byte()
        guard kind == 0x70 else {
            throw reader.error(
                kind == 0x6f
                    ? .unsupported("a table of outside references (reference types)")
                    : .malformed("\(kind) is no type of tables"), at: start)
        }
        let limits = try limits(most: .max)
        guard limits.minimum <= ModuleLimits.tableEntries else {
            throw reader.error(.tooMany(kind: "entries of a table", limit: ModuleLimits.tableEntries), at: start)
        }
        module.table = limits
        return limits
    }

    private mutating func memory() throws(ModuleError) -> SizeLimits {
        guard module.memory == nil else { throw reader.error(.tooMany(kind: "memories", limit: 1)) }
        let limits = try limits(most: ModuleLimits.memoryPages)
        module.memory = limits
        return limits
    }

    private mutating func limits(most: UInt32) throws(ModuleError) -> SizeLimits {
        let start = reader.position
        let flags = try reader.byte()
        switch flags {
        case 0, 1: break
        case 2, 3: throw reader.error(.unsupported("a shared memory (threads)"), at: start)
        case 4, 5: throw reader.error(.unsupported("a memory of 64 bits"), at: start)
        default: throw reader.error(.malformed("\(flags) is no form of limits"), at: start)
        }
        let minimum = try reader.unsigned32()
        let maximum = flags == 1 ? try reader.unsigned32() : nil
        guard minimum <= maximum ?? most, maximum ?? 0 <= most else {
            throw reader.error(.invalid("limits that exclude each other or are too large"), at: start)
        }
        return SizeLimits(minimum: minimum, maximum: maximum)
    }

    private mutating func globalType() throws(ModuleError) -> (ValueType, Bool) {
        let type = try reader.valueType()
        let start = reader.position
        let mutability = try reader.byte()
        guard mutability <= 1 else { throw reader.error(.malformed("\(mutability) is no mutability"), at: start) }
        return (type, mutability == 1)
    }

    private mutating func globals() throws(ModuleError) {
        for _ in 0..<(try reader.count(of: "globals", limit: ModuleLimits.globals)) {
            let (type, isMutable) = try globalType()
            let initial = try module.constant(&reader, type)
            module.globals.append(Global(type: type, isMutable: isMutable, initial: initial))
        }
    }

    private mutating func exports() throws(ModuleError) {
        for _ in 0..<(try reader.count(of: "exports", limit: ModuleLimits.exports)) {
            let start = reader.position
            let name = try reader.name()
            let code = try reader.byte()
            guard let kind = ExportKind(rawValue: code) else {
                throw reader.error(.malformed("\(code) is no kind of export"), at: start)
            }
            let index = try reader.unsigned32()
            let count =
                switch kind {
                case .function: module.functionTypes.count
                case .table: module.table == nil ? 0 : 1
                case .memory: module.memory == nil ? 0 : 1
                case .global: module.globals.count
                }
            guard index < count else { throw reader.error(.unknown(kind: "\(kind)", index: index), at: start) }
            let export = Export(kind: kind, index: Int(index))
            guard module.exports.updateValue(export, forKey: Array(name.utf8)) == nil else {
                throw reader.error(.invalid("a name is exported twice"), at: start)
            }
        }
    }

    private mutating func start() throws(ModuleError) {
        let start = reader.position
        let function = try module.functionIndex(&reader)
        guard module.type(ofFunction: function) == FunctionType() else {
            throw reader.error(.invalid("the function of the start takes or returns values"), at: start)
        }
        module.start = Int(function)
    }

    private mutating func elements() throws(ModuleError) {
        module.elements = try reader.vector(of: "element segments", limit: ModuleLimits.segments) {
            [module] reader throws(ModuleError) in
            let start = reader.position
            let flags = try reader.unsigned32()
            guard flags < 4 else {
                throw reader.error(
                    flags < 8
                        ? .unsupported("a segment of expressions (reference types)")
                        : .malformed("\(flags) is no form of element segments"), at: start)
            }
            let isActive = flags & 1 == 0
            if isActive || flags == 3 {
                let table = flags == 2 ? try reader.unsigned32() : 0
                guard flags == 3 || table == 0 && module.table != nil else {
                    throw reader.error(.unknown(kind: "table", index: table), at: start)
                }
            }
            let offset = isActive ? try module.constant(&reader, .i32) : nil
            if flags > 0, try reader.byte() != 0 { throw reader.error(.malformed("no kind of elements"), at: start) }
            let functions = try reader.vector(of: "elements", limit: ModuleLimits.tableEntries) {
                reader throws(ModuleError) in
                try module.functionIndex(&reader)
            }
            // A declarative segment only names functions, and is gone at the start.
            return ElementSegment(offset: offset, functions: flags == 3 ? [] : functions)
        }
    }

    private mutating func data() throws(ModuleError) {
        module.data = try reader.vector(of: "data segments", limit: ModuleLimits.segments) {
            [module] reader throws(ModuleError) in
            let start = reader.position
            let flags = try reader.unsigned32()
            guard flags < 3 else { throw reader.error(.malformed("\(flags) is no form of data segments"), at: start) }
            let memory = flags == 2 ? try reader.unsigned32() : 0
            guard flags == 1 || memory == 0 && module.memory != nil else {
                throw reader.error(.unknown(kind: "memory", index: memory), at: start)
            }
            let offset = flags == 1 ? nil : try module.constant(&reader, .i32)
            return DataSegment(offset: offset, range: try reader.range(Int(try reader.unsigned32())))
        }
    }

    private mutating func code() throws(ModuleError) {
        bodies = try reader.count(of: "bodies of functions", limit: ModuleLimits.functions)
        guard bodies == declared.count else {
            throw reader.error(.malformed("\(declared.count) functions and code of \(bodies)"))
        }
        var compiler = FunctionCompiler(module, reader)
        for type in declared { try compiler.compile(module.types[Int(type)]) }
        reader = compiler.reader
        module.code = compiler.code
        module.functions = compiler.functions
    }
}
