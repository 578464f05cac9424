/// A module that was read, validated and translated: nothing in it can fail but by a ``Trap``.
///
///     let module = try Module(bytes)
///     let instance = try Instance(of: module, host: NoHost(), limits: .init())
///     let results = try instance.call("add", [1, 2])
///
/// Takes version 1 of the core specification with mutable globals, sign extension, conversions without traps, bulk
/// memory and multi-value. All else is refused by its name.
///
/// Source: WebAssembly core specification 1.0 and the five proposals.
public struct Module: Sendable {
    let bytes: [UInt8]
    var types: [FunctionType] = []
    /// What the module asks of its host, in its order.
    public internal(set) var imports: [Import] = []
    /// The type of each function, the imported ones first.
    var functionTypes: [UInt32] = []
    /// The table and the memory, the module's own or imported.
    var table, memory: SizeLimits?
    var globals: [Global] = []
    /// By the bytes of their names: what reads the same may be two names.
    var exports: [[UInt8]: Export] = [:]
    var start: Int?
    var elements: [ElementSegment] = []
    var dataCount: Int?
    var data: [DataSegment] = []
    var customSections: [CustomSection] = []
    var code: [Instruction] = []
    /// Every function, the imported ones first.
    var functions: [CompiledFunction] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads and validates all of a module.
    ///
    /// - Parameter bytes: the module, an outside value.
    /// - Throws: ``ModuleError``.
    public init(_ bytes: [UInt8]) throws(ModuleError) {
        self = try ModuleParser(bytes).module
    }

    /// The bytes of the first custom section of a name.
    public func customSection(_ name: String) -> ArraySlice<UInt8>? {
        customSections.first { $0.name.utf8.elementsEqual(name.utf8) }.map { bytes[$0.range] }
    }

    /// The names of all exports, in the order of the alphabet.
    public var exportedNames: [String] { exports.keys.map { String(decoding: $0, as: UTF8.self) }.sorted() }

    /// The type of the function that is exported by a name; nil where there is none.
    public func exportedFunction(_ name: String) -> FunctionType? {
        export(name).flatMap { $0.kind == .function ? type(ofFunction: UInt32($0.index)) : nil }
    }

    /// The value of the global that is exported by a name and never changes; nil where there is none.
    public func constantGlobal(_ name: String) -> UInt64? {
        guard let export = export(name), export.kind == .global, case let global = globals[export.index],
            !global.isMutable, case .value(let bits) = global.initial
        else { return nil }
        return bits
    }

    func export(_ name: String) -> Export? { exports[Array(name.utf8)] }

    func type(ofFunction index: UInt32) -> FunctionType { types[Int(functionTypes[Int(index)])] }
}

/// What is exported under a name.
struct Export: Hashable, Sendable {
    let kind: ExportKind
    let index: Int
}

/// Bytes that mean nothing to WebAssembly itself.
struct CustomSection: Hashable, Sendable {
    let name: String
    let range: Range<Int>
}
