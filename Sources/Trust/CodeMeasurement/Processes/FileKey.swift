/// The file that a mapping is of, by two numbers: a name may be replaced under it, these two are not.
public struct FileKey: Hashable, Sendable, CustomStringConvertible {
    /// The device that the file is on.
    package let device: DeviceNumber
    /// Which of that device's files it is.
    package let inode: UInt64

    /// - Parameters: as stat(2) or a memory map tells them.
    package init(device: DeviceNumber, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// The key as in `/proc/PID/maps`.
    public var description: String { "\(device) \(inode)" }
}

/// The number of a device as `/proc/PID/maps` shows it.
package struct DeviceNumber: Hashable, Sendable, CustomStringConvertible {
    /// The driver's number.
    package let major: UInt32
    /// The number of the device among those of its driver.
    package let minor: UInt32

    /// - Parameters: as memory maps write them, in two parts.
    package init(major: UInt32, minor: UInt32) {
        self.major = major
        self.minor = minor
    }

    /// Takes a number as in `st_dev`; see makedev(3).
    package init(encoded: UInt64) {
        major = UInt32(truncatingIfNeeded: (encoded >> 8) & 0xfff | (encoded >> 32) & 0xffff_f000)
        minor = UInt32(truncatingIfNeeded: encoded & 0xff | (encoded >> 12) & 0xffff_ff00)
    }

    /// Both parts in hex, as memory maps write them.
    package var description: String { Self.hex(major) + ":" + Self.hex(minor) }

    private static func hex(_ number: UInt32) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16)
    }
}
