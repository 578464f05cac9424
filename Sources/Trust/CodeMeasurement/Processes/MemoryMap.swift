/// The memory map of a process: the text of `/proc/PID/maps` and where in it each mapping stands.
///
/// Paths stay in the text until one is asked for, and the memory of both is used again by the next look.
///
/// Source: proc_pid_maps(5); `vigil` section 4.5.
package struct MemoryMap: Sendable {
    /// The size of the longest map that is read, in bytes. A program of 20 libraries has 15 KiB.
    package static let maximumSize = 8 << 20

    /// How many mappings a map may have: as many as the kernel allows a process by default (vm.max_map_count), and a
    /// few of its own.
    package static let maximumCount = 65_600

    package internal(set) var text: [UInt8] = []

    /// The mappings in ascending order, without overlap.
    package private(set) var mappings: [MemoryMapping] = []

    package init() {}

    /// - Throws: ``MemoryMapError``.
    package init(_ text: [UInt8]) throws(MemoryMapError) {
        self.text = text
        try parse()
    }

    /// Reads the mappings from ``text``.
    mutating func parse() throws(MemoryMapError) {
        guard text.count <= Self.maximumSize else { throw .tooLarge }
        mappings.removeAll(keepingCapacity: true)
        do {
            try text.withUnsafeBufferPointer { bytes in
                var scanner = TextScanner(bytes)
                while !scanner.isAtEnd {
                    let start = scanner.position
                    guard mappings.count < Self.maximumCount else { throw MemoryMapError.tooLarge }
                    guard let mapping = MemoryMapping(&scanner) else { throw MemoryMapError.malformed(offset: start) }
                    if let last = mappings.last, mapping.start < last.end {
                        throw MemoryMapError.malformed(offset: start)
                    }
                    mappings.append(mapping)
                }
            }
        } catch let error as MemoryMapError {
            throw error
        } catch {
            throw .malformed(offset: 0)
        }
    }

    /// The file of a mapping, or the kernel's word for what is no file (`[vdso]`); empty for anonymous memory. The
    /// escapes of the kernel are taken back. (It escapes a line break and not the backslash, so a name may come out
    /// that no file has: what decides is ``MemoryMapping/key``.)
    package func path(of mapping: MemoryMapping) -> String {
        text.withUnsafeBufferPointer { bytes in
            let path = UnsafeBufferPointer(rebasing: bytes[mapping.path])
            guard path.contains(UInt8(ascii: "\\")) else { return String(decoding: path, as: UTF8.self) }
            return String(decoding: Self.unescaped(path), as: UTF8.self)
        }
    }

    func path(of mapping: MemoryMapping, is word: StaticString) -> Bool {
        guard mapping.path.count == word.utf8CodeUnitCount else { return false }
        return text[mapping.path].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: mapping.path.count))
    }

    func path(of mapping: MemoryMapping, endsIn word: StaticString) -> Bool {
        guard mapping.path.count >= word.utf8CodeUnitCount else { return false }
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return text[mapping.path].suffix(word.count).elementsEqual(word)
    }

    /// A file that was removed is shown with this behind its path.
    static let deletedSuffix: StaticString = " (deleted)"

    /// Takes `\ooo` back.
    private static func unescaped(_ path: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "\\"), index + 3 < path.count, path[index + 1] & 0xfc == 0x30,
                path[index + 2] & 0xf8 == 0x30, path[index + 3] & 0xf8 == 0x30
            {
                bytes.append((path[index + 1] & 3) << 6 | (path[index + 2] & 7) << 3 | path[index + 3] & 7)
                index += 4
            } else {
                bytes.append(path[index])
                index += 1
            }
        }
        return bytes
    }

    /// The index of the mapping that holds an address, or of the first one behind it; the count if there is none.
    package func index(at address: UInt64) -> Int {
        var low = 0
        var high = mappings.count
        while low < high {
            let middle = (low + high) / 2
            if mappings[middle].end <= address { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What a second reading shows of code that the first one did not: executable memory, and what else counts as code.
    enum ChangeOfCode {
        /// Files that were renamed or removed; the memory is the same.
        case names
        case memory
    }

    /// Compares code byte by byte of its lines.
    ///
    /// - Parameter isCode: of addresses.
    /// - Returns: nil if both show the same.
    func changeOfCode(in later: MemoryMap, _ isCode: (Range<UInt64>) -> Bool) -> ChangeOfCode? {
        if text == later.text { return nil }
        let code = mappings.filter { $0.protection.isExecutable || isCode($0.addresses) }
        let laterCode = later.mappings.filter { $0.protection.isExecutable || isCode($0.addresses) }
        if code.elementsEqual(laterCode, by: { text[$0.line].elementsEqual(later.text[$1.line]) }) { return nil }
        let isSameMemory = code.elementsEqual(laterCode) { mine, others in
            mine.addresses == others.addresses && mine.protection == others.protection && mine.offset == others.offset
                && mine.key == others.key && mine.hasFile
                || text[mine.line].elementsEqual(later.text[others.line])
        }
        return isSameMemory ? .names : .memory
    }
}

/// A text that is no memory map.
package enum MemoryMapError: Error, Hashable, Sendable {
    /// The line at this offset is not of the kernel's form, or not behind the one before it.
    case malformed(offset: Int)
    case tooLarge
}
