/// The file that a mapping is of, by two numbers: a name may be replaced under it, these two are not.
public struct FileKey: Hashable, Sendable, CustomStringConvertible {
    public let device: DeviceNumber
    public let inode: UInt64

    public init(device: DeviceNumber, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// The key as in `/proc/PID/maps`.
    public var description: String { "\(device) \(inode)" }
}

/// The number of a device as `/proc/PID/maps` shows it.
public struct DeviceNumber: Hashable, Sendable, CustomStringConvertible {
    public let major: UInt32
    public let minor: UInt32

    public init(major: UInt32, minor: UInt32) {
        self.major = major
        self.minor = minor
    }

    /// Takes a number as in `st_dev`; see makedev(3).
    public init(encoded: UInt64) {
        major = UInt32(truncatingIfNeeded: (encoded >> 8) & 0xfff | (encoded >> 32) & 0xffff_f000)
        minor = UInt32(truncatingIfNeeded: encoded & 0xff | (encoded >> 12) & 0xffff_ff00)
    }

    public var description: String { Self.hex(major) + ":" + Self.hex(minor) }

    private static func hex(_ number: UInt32) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16)
    }
}
