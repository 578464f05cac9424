/// The fields of `/proc/PID/status` that rules ask for.
///
/// Source: proc_pid_status(5); `vigil` section 9.3.
package struct ProcessStatus: Hashable, Sendable {
    /// The process that traces this one; 0 for none.
    package private(set) var tracer: UInt64?
    package private(set) var seccomp: UInt64?
    package private(set) var seccompFilters: UInt64?
    package private(set) var noNewPrivileges: UInt64?
    package private(set) var effectiveCapabilities: UInt64?
    package private(set) var permittedCapabilities: UInt64?
    package private(set) var effectiveUser: UInt64?
    /// The group of whoever started the process.
    package private(set) var realGroup: UInt64?
    /// The group of the file that the process runs, where it was started set-group-ID.
    package private(set) var savedGroup: UInt64?
    package private(set) var threads: UInt64?
    package private(set) var coreDumping: UInt64?
    /// Sizes of all memory that is mapped; nil without memory.
    package private(set) var memory: MemorySizes?

    /// - Parameter text: the whole file. The kernel writes a line break in the name as `\n`, so that a name makes no
    ///   line of its own; of a field that is there twice the first counts.
    package init(_ text: [UInt8]) {
        var sizes: [String: UInt64] = [:]
        text.withUnsafeBufferPointer { bytes in
            var scanner = TextScanner(bytes)
            while !scanner.isAtEnd {
                read(scanner.through(UInt8(ascii: "\n")), &sizes)
            }
        }
        memory = MemorySizes(sizes)
    }

    /// The one field that is asked of each thread.
    static func tracer(in text: [UInt8]) -> UInt64? {
        text.withUnsafeBufferPointer { bytes in
            var scanner = TextScanner(bytes)
            while !scanner.isAtEnd {
                var line = TextScanner(scanner.through(UInt8(ascii: "\n")))
                guard line.through(UInt8(ascii: ":")).elementsEqual("TracerPid".utf8) else { continue }
                line.skipBlanks()
                return line.decimal()
            }
            return nil
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ sizes: inout [String: UInt64]) {
        var scanner = TextScanner(line)
        let name = scanner.through(UInt8(ascii: ":"))
        scanner.skipBlanks()
        let field = String(decoding: name, as: UTF8.self)
        switch field {
        case "TracerPid": tracer = tracer ?? scanner.decimal()
        case "Uid":
            // Real, effective, saved, file system.
            guard scanner.decimal() != nil else { return }
            scanner.skipBlanks()
            effectiveUser = effectiveUser ?? scanner.decimal()
        case "Gid":
            // The same four.
            guard let real = scanner.decimal() else { return }
            realGroup = realGroup ?? real
            scanner.skipBlanks()
            guard scanner.decimal() != nil else { return }
            scanner.skipBlanks()
            savedGroup = savedGroup ?? scanner.decimal()
        case "CoreDumping": coreDumping = coreDumping ?? scanner.decimal()
        case "Threads": threads = threads ?? scanner.decimal()
        case "CapPrm": permittedCapabilities = permittedCapabilities ?? scanner.hexadecimal()
        case "CapEff": effectiveCapabilities = effectiveCapabilities ?? scanner.hexadecimal()
        case "NoNewPrivs": noNewPrivileges = noNewPrivileges ?? scanner.decimal()
        case "Seccomp": seccomp = seccomp ?? scanner.decimal()
        case "Seccomp_filters": seccompFilters = seccompFilters ?? scanner.decimal()
        case _ where MemorySizes.fields.contains(field):
            if sizes[field] == nil { sizes[field] = scanner.decimal() }
        default: break
        }
    }
}
