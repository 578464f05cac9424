import SCALE
import WebAssembly

/// A small runtime with the interface of Substrate's, put together by hand: it asks its host for memory, copies its
/// metadata there byte by byte, and tells where they are. What is changed in it makes it lie, loop or ask for what it
/// does not get.
package struct SampleRuntime {
    /// Beginning with `meta`.
    package var metadata: [UInt8]
    /// The version, in SCALE.
    package var version: [UInt8]
    /// Whether the version stands in a section; else it is computed by `Core_version`.
    package var statesVersion = true
    /// Code of `Metadata_metadata`; nil for the honest one.
    package var body: [UInt8]?
    package var importsMemory = true
    package var heapBase: Int32? = 2 << 20

    package init(metadata: [UInt8], version: [UInt8]) {
        self.metadata = metadata
        self.version = version
    }

    /// Functions by their index, in the order of the imports.
    private static let imports: [(name: String, type: FunctionType)] = [
        ("ext_allocator_malloc_version_1", FunctionType([.i32], to: [.i32])),
        ("ext_allocator_free_version_1", FunctionType([.i32])),
        ("ext_logging_log_version_1", FunctionType([.i32, .i64, .i64])),
        ("ext_logging_max_level_version_1", FunctionType(to: [.i32])),
        ("ext_storage_get_version_1", FunctionType([.i64], to: [.i64])),
    ]
    package static let malloc: UInt8 = 0
    package static let free: UInt8 = 1
    package static let storage: UInt8 = 4

    private static let dataOffset: Int32 = 4_096
    private static let answer = FunctionType([.i32, .i32], to: [.i64])

    /// The runtime as a module.
    package var bytes: [UInt8] {
        var assembly = Assembly()
        for (name, type) in Self.imports { assembly.importFunction(name, type) }
        if importsMemory {
            assembly.imports.append(Assembly.name("env") + Assembly.name("memory") + [2, 0] + Assembly.unsigned(40))
        } else {
            assembly.memory(40)
        }
        if let heapBase {
            assembly.globals = [[0x7f, 0] + Assembly.i32(heapBase) + [0x0b]]
            assembly.exports = [Assembly.name("__heap_base") + [3, 0]]
        }
        var opaque = ScaleEncoder()
        opaque.byteSequence(metadata)
        let pieces = [opaque.bytes, version, [1] + opaque.bytes, [4] + Array([14, 0, 0, 0]), [0]]
        let starts = pieces.indices.map { Self.dataOffset + Int32(pieces[..<$0].map(\.count).reduce(0, +)) }
        assembly.data = [[0] + Assembly.i32(Self.dataOffset) + [0x0b] + Self.sized(pieces.flatMap { $0 })]
        func copying(_ piece: Int) -> [UInt8] { Self.copy(from: starts[piece], count: Int32(pieces[piece].count)) }
        let locals: [ValueType] = [.i32, .i32]
        assembly.function(Self.answer, locals: locals, export: "Metadata_metadata", body ?? copying(0))
        assembly.function(Self.answer, locals: locals, export: "Core_version", copying(1))
        // The version that is asked for stands where the first argument says.
        let asked = Assembly.get(0) + [0x28, 0, 0] + Assembly.i32(14) + [0x46]
        assembly.function(
            Self.answer, locals: locals, export: "Metadata_metadata_at_version",
            asked + [0x04, 0x7e] + copying(2) + [0x05] + copying(4) + [0x0b])
        assembly.function(Self.answer, locals: locals, export: "Metadata_metadata_versions", copying(3))
        if statesVersion { assembly.custom = [Assembly.name("runtime_version") + version] }
        return assembly.bytes
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] { Assembly.unsigned(UInt32(bytes.count)) + bytes }

    /// Takes memory, gives some back, copies `count` bytes there, and packs place and length. Locals 2 and 3 are used.
    private static func copy(from start: Int32, count: Int32) -> [UInt8] {
        let log = Assembly.i32(3) + Assembly.i64(0) + Assembly.i64(0) + [0x10, 2]
        let scratch = Assembly.i32(100) + [0x10, malloc, 0x10, free]
        let take = Assembly.i32(count) + [0x10, malloc, 0x21, 2] + Assembly.i32(count) + [0x21, 3]
        // for (3 = count; 3 > 0;) { 3 -= 1; memory[2 + 3] = memory[start + 3] }
        let loop: [UInt8] =
            [0x03, 0x40] + Assembly.get(3) + Assembly.i32(1) + [0x6b, 0x21, 3] + Assembly.get(2) + Assembly.get(3)
            + [0x6a] + Assembly.get(3) + [0x2d, 0] + Assembly.unsigned(UInt32(start)) + [0x3a, 0, 0] + Assembly.get(3)
            + [0x0d, 0, 0x0b]
        let packed = Assembly.get(2) + [0xad] + Assembly.i64(Int64(count) << 32) + [0x84]
        return log + scratch + take + loop + packed
    }

    /// A version in SCALE.
    package static func version(
        _ name: String, _ specVersion: UInt32, transactionVersion: UInt32
    ) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.string(name)
        encoder.string("parity-\(name)")
        for number in [0, specVersion, 0] as [UInt32] { encoder.integer(number) }
        encoder.compact(0)
        encoder.integer(transactionVersion)
        encoder.integer(1 as UInt8)
        return encoder.bytes
    }
}
