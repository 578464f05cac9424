/// The looks that were taken at a program, as a mask of the wire.
///
/// Source: `vigil` section 4.4.
public struct Levels: OptionSet, Hashable, Sendable {
    /// The bits, as messages have them.
    public let rawValue: UInt8

    /// - Parameter rawValue: the bits, as messages have them.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// L0: the hash that the program reports of itself was compared.
    public static let selfReported = Levels(rawValue: 0x01)
    /// L1: the files were hashed.
    public static let files = Levels(rawValue: 0x02)
    /// L2: the memory map holds the measured images and nothing foreign that is executable.
    public static let mapShape = Levels(rawValue: 0x04)
    /// L3: no page of code is a private copy.
    public static let codePages = Levels(rawValue: 0x08)
    /// L4: the contents of memory were hashed or sampled.
    public static let contents = Levels(rawValue: 0x10)
    /// L5: the rules of behaviour hold.
    public static let behaviour = Levels(rawValue: 0x20)

    /// The kernel let this process open the memory map, the page tables and the program's file itself, at this very
    /// look, and so vouches for it that they are of what the process runs. Without it that is the word of the process,
    /// which sent them.
    public static let firsthand = Levels(rawValue: 0x40)

    /// Every level that is defined.
    public static let all = Levels(rawValue: 0x7f)

    /// The levels that messages and evidence have a bit for. How a side looked at the other is for its own policy
    /// alone.
    package static let ofMessages = Levels(rawValue: 0x3f)

    /// What a policy asks for unless it says otherwise: L0 to L3 on Linux, L0 elsewhere.
    public static var requiredByDefault: Levels {
        #if os(Linux)
            [.selfReported, .files, .mapShape, .codePages]
        #else
            .selfReported
        #endif
    }
}
