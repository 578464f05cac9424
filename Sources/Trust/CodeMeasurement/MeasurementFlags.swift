/// What a report says beside its verdict.
///
/// Source: `vigil` sections 2.3, 4.5 and 9.3.
public struct MeasurementFlags: OptionSet, Hashable, Sendable {
    /// The bits, as reports have them.
    public let rawValue: UInt8

    /// - Parameter rawValue: the bits, as reports have them.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The file of the program was removed or replaced after the start.
    public static let executableDeleted = MeasurementFlags(rawValue: 1)
    /// The memory map does not tell the files of this file system apart (btrfs), and this process may not ask further:
    /// that the mapped file is the measured one is likely, and not proven.
    public static let deviceMismatch = MeasurementFlags(rawValue: 2)
    /// The process is known by its number, not by a descriptor.
    package static let weakIdentity = MeasurementFlags(rawValue: 4)
    /// The environment or the descriptors of the process may not be read; rules about them were left out.
    public static let environmentUnreadable = MeasurementFlags(rawValue: 8)
    /// A library of the system was replaced since the program started.
    public static let externalDeleted = MeasurementFlags(rawValue: 16)
    /// The process was looked at by descriptors that it sent: it may not be looked into otherwise. As far as the sizes
    /// of both tell, it was checked that they are of what it runs, and not of memory that it has kept of another
    /// program.
    public static let secondhand = MeasurementFlags(rawValue: 32)
}
