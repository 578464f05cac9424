/// The handles that travel with a message, in ascending order of their bits.
///
/// Source: `vigil` section 4.3.
public struct HandleMask: OptionSet, Hashable, Sendable {
    /// The bits, as messages have them.
    public let rawValue: UInt8

    /// - Parameter rawValue: the bits, as messages have them.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The program: `/proc/PID/exe`.
    public static let executable = HandleMask(rawValue: 0x01)
    /// The memory map: `/proc/PID/maps`.
    public static let maps = HandleMask(rawValue: 0x02)
    /// The page tables: `/proc/PID/pagemap`.
    public static let pagemap = HandleMask(rawValue: 0x04)
    /// Lets the peer read all memory; never sent unless it is asked for.
    public static let memory = HandleMask(rawValue: 0x08)
    /// The memory map with sizes: `/proc/PID/smaps`.
    public static let smaps = HandleMask(rawValue: 0x10)

    /// What a program sends of itself unless told otherwise.
    public static let usual: HandleMask = [.executable, .maps, .pagemap]

    /// Every handle that is defined.
    public static let all = HandleMask(rawValue: 0x1f)

    /// How many descriptors belong to it.
    public var count: Int { rawValue.nonzeroBitCount }

    /// The bits that are set, ascending.
    var kinds: [HandleMask] {
        (0..<8).map { HandleMask(rawValue: 1 << $0) }.filter(contains)
    }

    /// The name of one bit in `/proc/PID`.
    var fileName: String? {
        switch self {
        case .executable: "exe"
        case .maps: "maps"
        case .pagemap: "pagemap"
        case .memory: "mem"
        case .smaps: "smaps"
        default: nil
        }
    }
}
