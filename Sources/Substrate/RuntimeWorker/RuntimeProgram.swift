import RuntimeService
import SCALE
import WebAssembly

/// A runtime as a program that tells of itself. It starts anew for each question.
///
/// Source: `signer-wire` section 8.6.
struct RuntimeProgram {
    private let module: Module
    private var fuel: Int64
    private(set) var steps: Int64 = 0

    /// Pages of memory that a runtime may have: 64 MiB.
    private static let memoryPages = 1_024

    init(_ bytes: [UInt8], fuel: Int64) throws(RuntimeRefusal) {
        do throws(ModuleError) { module = try Module(bytes) } catch { throw .module(error) }
        self.fuel = fuel
    }

    /// What the runtime tells of itself.
    ///
    /// - Parameter metadataVersion: the version of the metadata's format that is wanted; nil for the usual one.
    mutating func report(metadataVersion: UInt32?) throws(RuntimeRefusal) -> RuntimeReport {
        let stated = module.customSection("runtime_version").map { Array($0) }
        let metadata = try metadata(version: metadataVersion)
        let version = if let stated { stated } else { try ask("Core_version") }
        for (what, bytes, limit) in [
            ("version", version, RuntimeReport.versionLimit), ("metadata", metadata, RuntimeService.metadataLimit),
        ] where bytes.count > limit {
            throw .answerTooLarge(what: what, count: bytes.count, limit: limit)
        }
        return RuntimeReport(
            version: version, versionIsStated: stated != nil, metadata: metadata, steps: steps)
    }

    private mutating func metadata(version: UInt32?) throws(RuntimeRefusal) -> [UInt8] {
        guard let version else {
            return try decode(try ask("Metadata_metadata"), of: "Metadata_metadata") {
                decoder throws(ScaleError) in try decoder.byteSequence()
            }
        }
        let function = "Metadata_metadata_at_version"
        var argument = ScaleEncoder()
        argument.integer(version)
        let found = try decode(try ask(function, argument.bytes), of: function) { decoder throws(ScaleError) in
            try decoder.option { decoder throws(ScaleError) in try decoder.byteSequence() }
        }
        if let found { return found }
        throw .noMetadata(version: version, offered: try versions())
    }

    private mutating func versions() throws(RuntimeRefusal) -> [UInt32] {
        let function = "Metadata_metadata_versions"
        return try decode(try ask(function), of: function) { decoder throws(ScaleError) in
            try decoder.sequence { decoder throws(ScaleError) in try decoder.uint32() }
        }
    }

    private func decode<Value>(
        _ bytes: [UInt8], of function: String, _ read: (inout ScaleDecoder) throws(ScaleError) -> Value
    ) throws(RuntimeRefusal) -> Value {
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes)
            let value = try read(&decoder)
            try decoder.finish()
            return value
        } catch {
            throw .result(function: function, error)
        }
    }

    /// Calls a function of the runtime's interface: bytes in, bytes out.
    private mutating func ask(_ function: String, _ argument: [UInt8] = []) throws(RuntimeRefusal) -> [UInt8] {
        guard module.exportedFunction(function) == FunctionType([.i32, .i32], to: [.i64]) else {
            throw .noExport(function)
        }
        guard let heapBase = module.constantGlobal("__heap_base") else { throw .noExport("__heap_base") }
        var limits = ExecutionLimits()
        limits.fuel = fuel
        limits.memoryPages = Self.memoryPages
        do throws(Trap) {
            let instance = try Instance(
                of: module, host: RuntimeHost(heapBase: UInt32(truncatingIfNeeded: heapBase)), limits: limits)
            defer {
                steps += fuel - instance.fuel
                fuel = instance.fuel
            }
            guard let memory = instance.memory else { throw .host("it has no memory") }
            let address = try instance.host.allocate(UInt32(argument.count), memory)
            try memory.write(argument, at: address)
            let packed = try instance.call(function, [UInt64(address), UInt64(argument.count)])[0]
            return try memory.read(
                at: UInt32(truncatingIfNeeded: packed), count: Int(UInt32(truncatingIfNeeded: packed >> 32)))
        } catch {
            throw .run(function: function, error)
        }
    }
}
