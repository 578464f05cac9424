/// A range of addresses of a process, with what is behind it.
package struct MemoryMapping: Hashable, Sendable {
    package let start: UInt64
    /// The address behind the last one.
    package let end: UInt64
    package let protection: MappingProtection
    /// Bytes from the start of the file.
    package let offset: UInt64
    /// Zeros for memory without a file.
    package let key: FileKey
    /// Where in the text of the map the path stands.
    let path: Range<Int>
    /// Where in the text of the map the line stands, without the line break.
    let line: Range<Int>

    package var addresses: Range<UInt64> { start..<end }

    /// Reads `start-end rwxp offset major:minor inode path`.
    ///
    /// - Returns: nil if the line is not of this form; the scanner then stands somewhere in it.
    init?(_ scanner: inout TextScanner) {
        let space = UInt8(ascii: " ")
        let lineStart = scanner.position
        guard let start = scanner.hexadecimal(), scanner.skip(UInt8(ascii: "-")),
            let end = scanner.hexadecimal(), start < end, scanner.skip(space),
            let protection = MappingProtection(&scanner), scanner.skip(space),
            let offset = scanner.hexadecimal(), scanner.skip(space),
            let major = scanner.hexadecimal(), let major = UInt32(exactly: major), scanner.skip(UInt8(ascii: ":")),
            let minor = scanner.hexadecimal(), let minor = UInt32(exactly: minor), scanner.skip(space),
            let inode = scanner.decimal(), scanner.isAtEnd || scanner.next == space || scanner.next == 0x0a
        else { return nil }
        // The kernel pads to a column; no path begins with a space.
        scanner.skipAll(space)
        let pathStart = scanner.position
        let pathEnd = pathStart + scanner.through(UInt8(ascii: "\n")).count
        self.start = start
        self.end = end
        self.protection = protection
        self.offset = offset
        key = FileKey(device: DeviceNumber(major: major, minor: minor), inode: inode)
        path = pathStart..<pathEnd
        line = lineStart..<pathEnd
    }

    /// Whether there is a file behind it.
    package var hasFile: Bool { key.inode != 0 || key.device != DeviceNumber(major: 0, minor: 0) }
}

/// What a process may do with a mapping, and whether it shares what it writes.
package struct MappingProtection: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let read = MappingProtection(rawValue: 1)
    package static let write = MappingProtection(rawValue: 2)
    package static let execute = MappingProtection(rawValue: 4)
    package static let shared = MappingProtection(rawValue: 8)

    package var isExecutable: Bool { contains(.execute) }

    init?(_ scanner: inout TextScanner) {
        var found: MappingProtection = []
        for (letter, bit) in [
            (UInt8(ascii: "r"), Self.read), (UInt8(ascii: "w"), .write), (UInt8(ascii: "x"), .execute),
        ] {
            let byte = scanner.take()
            if byte == letter { found.insert(bit) } else if byte != UInt8(ascii: "-") { return nil }
        }
        switch scanner.take() {
        case UInt8(ascii: "p"): break
        case UInt8(ascii: "s"): found.insert(.shared)
        default: return nil
        }
        self = found
    }

    /// The mapping as in `/proc/PID/maps`.
    package var description: String {
        "\(contains(.read) ? "r" : "-")\(contains(.write) ? "w" : "-")\(isExecutable ? "x" : "-")\(contains(.shared) ? "s" : "p")"
    }
}
