import WebAssembly

extension FuzzTarget {
    /// A module, read and validated.
    static let wasmModule = FuzzTarget(name: "wasm-module", seeds: modules) { bytes in
        _ = try? Module(bytes)
    }

    /// A module, read and run: its start, and each exported function with small arguments, within tight limits.
    static let wasmRun = FuzzTarget(name: "wasm-run", seeds: modules) { bytes in
        guard let module = try? Module(bytes) else { return }
        var limits = ExecutionLimits()
        (limits.fuel, limits.memoryPages, limits.callDepth, limits.stackValues) = (100_000, 16, 100, 70_000)
        guard let instance = try? Instance(of: module, host: NoHost(), limits: limits) else { return }
        for name in module.exportedNames {
            guard let type = module.exportedFunction(name) else { continue }
            _ = try? instance.call(name, type.parameters.indices.map { UInt64($0) })
        }
    }

    /// A loop with a memory, a table and a global; and the empty module.
    private static let modules: [[UInt8]] = {
        let head: [UInt8] = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
        let types: [UInt8] = [1, 10, 2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7e]
        let functions: [UInt8] = [3, 3, 2, 0, 1]
        let table: [UInt8] = [4, 4, 1, 0x70, 0, 2]
        let memory: [UInt8] = [5, 3, 1, 0, 1]
        let globals: [UInt8] = [6, 6, 1, 0x7f, 1, 0x41, 5, 0x0b]
        let exports: [UInt8] = [7, 9, 2, 1, 0x61, 0, 0, 1, 0x62, 0, 1]
        let elements: [UInt8] = [9, 8, 1, 0, 0x41, 0, 0x0b, 2, 0, 1]
        let loop: [UInt8] = [
            1, 1, 0x7f, 0x03, 0x40, 0x20, 1, 0x20, 0, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b,
            0x20, 1, 0x23, 0, 0x6a, 0x0b,
        ]
        let indirect: [UInt8] = [
            0, 0x41, 8, 0x41, 3, 0x41, 0, 0x11, 0, 0, 0x36, 2, 0, 0x41, 8, 0x29, 3, 0, 0x44, 0, 0, 0, 0, 0, 0, 0xe0,
            0x3f, 0xfc, 6, 0x7c, 0x0b,
        ]
        let bodies = [UInt8(2)] + [UInt8(loop.count)] + loop + [UInt8(indirect.count)] + indirect
        let code = [10, UInt8(bodies.count)] + bodies
        let data: [UInt8] = [11, 9, 1, 0, 0x41, 4, 0x0b, 3, 1, 2, 3]
        return [head, head + types + functions + table + memory + globals + exports + elements + code + data]
    }()
}
