import Synchronization

/// Looks for copies of secrets in all memory of this process, to prove that locking left none behind.
///
///     var scan = MemoryScan()
///     secret.withUnsafeBytes { scan.look(for: "main key", $0) }
///     // ... everything that held the secret goes ...
///     let copies = try scan.run()
///
/// What is looked for is held with every byte XOR 0xa5, so that the scan does not find itself. All readable mappings
/// are read, and the pages of secrets too: after locking, also these must have none. Run it while no other thread maps
/// or works on memory; what changes meanwhile may be missed.
///
/// Source: `mainkey` section 20.
package struct MemoryScan {
    /// A copy that was found.
    package struct Hit: Equatable, Sendable {
        /// What ``look(for:_:)`` called it.
        package let needle: String
        /// The mapping that it lies in: a file's path, `[heap]`, `[stack]`, "plain memory" or "secret memory".
        package let mapping: String
        package let address: UInt
    }

    /// Why no scan is possible.
    package enum ScanError: Error, Equatable, Sendable {
        /// Memory cannot be scanned on this system, or `/proc` is not mounted.
        case noMemoryMap
        case outOfMemory
    }

    /// What it looks for, in the order in which it was added.
    package var names: [String] { needles.map(\.name) }

    private static let mask: UInt8 = 0xa5
    /// One scan at a time: in the buffer of another one stand copies of what it reads.
    private static let running = Mutex(())

    private var needles: [MaskedNeedle] = []

    package init() {}

    /// Adds bytes to look for.
    ///
    /// - Parameter bytes: at least 4; fewer are found by chance.
    package mutating func look(for name: String, _ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= MaskedNeedle.leastCount, "fewer than four bytes are found everywhere")
        needles.append(MaskedNeedle(name: name, masked: bytes.map { $0 ^ Self.mask }))
    }

    /// Adds the same bytes written as text: hex in both cases, and base64 wherever they stand in a longer text.
    ///
    /// - Parameter bytes: at least 6.
    package mutating func lookForText(of name: String, _ bytes: UnsafeRawBufferPointer) {
        for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
            let masked = digits.utf8.map { $0 ^ Self.mask }
            needles.append(
                MaskedNeedle(
                    name: "\(name) as hex", masked: bytes.flatMap { [masked[Int($0 >> 4)], masked[Int($0 & 15)]] }))
        }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.map { $0 ^ Self.mask }
        // Three bytes are four letters; where the first three begin depends on what stands before.
        for start in 0..<3 {
            let groups = stride(from: start, to: bytes.count - 2, by: 3)
            let masked = groups.flatMap { index -> [UInt8] in
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                return [18, 12, 6, 0].map { letters[group >> $0 & 63] }
            }
            needles.append(MaskedNeedle(name: "\(name) as base64", masked: masked))
        }
    }

    /// What of it lies in some bytes, for example those of a file.
    package func names(in bytes: UnsafeRawBufferPointer) -> Set<String> {
        var found: Set<String> = []
        MaskedSearch(needles, mask: Self.mask).run(over: bytes) { name, _ in found.insert(name) }
        return found
    }

    /// Every copy there is now.
    package func run() throws(ScanError) -> [Hit] {
        try Self.running.withLock { _ throws(ScanError) in try hits() }
    }

    private func hits() throws(ScanError) -> [Hit] {
        #if os(Linux)
            guard !needles.isEmpty else { return [] }
            let search = MaskedSearch(needles, mask: Self.mask)
            let window = try ScanWindow(overlap: needles.map(\.masked.count).max()! - 1)
            guard let mappings = MemoryMapping.all() else { throw .noMemoryMap }
            var hits: [Hit] = []
            for mapping in mappings where mapping.isReadable {
                let name = mapping.name.isEmpty ? "plain memory" : mapping.name
                for part in mapping.parts(without: window.addresses) {
                    window.read(part) { search.note(&hits, in: $0, at: $1, of: name) }
                }
            }
            // The kernel does not copy kernel-secret pages for other processes, so they are read in place; the lock
            // keeps them mapped.
            SecretRegion.mapped.withLock { regions in
                for region in regions where region.backing == .kernelSecret {
                    search.run(over: UnsafeRawBufferPointer(start: region.start, count: region.count)) {
                        let address = UInt(bitPattern: region.start) + UInt($1)
                        hits.append(Hit(needle: $0, mapping: "secret memory", address: address))
                    }
                }
            }
            return hits
        #else
            throw .noMemoryMap
        #endif
    }
}

extension MaskedSearch {
    /// Adds the copies in a piece of a mapping, each once: pieces overlap.
    ///
    /// - Parameter address: where the piece begins.
    fileprivate func note(
        _ hits: inout [MemoryScan.Hit], in bytes: UnsafeRawBufferPointer, at address: UInt, of mapping: String
    ) {
        run(over: bytes) { needle, offset in
            let hit = MemoryScan.Hit(needle: needle, mapping: mapping, address: address + UInt(offset))
            if hits.last != hit && !hits.contains(hit) { hits.append(hit) }
        }
    }
}
