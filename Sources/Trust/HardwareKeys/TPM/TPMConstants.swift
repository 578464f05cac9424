/// Numbers of the TPM 2.0 library specification (part 2) that the rules of this room are written in.
enum TPMConstants {
    static let sha256: UInt16 = 0x000b

    enum Command {
        static let nvWrite: UInt32 = 0x137
        static let policyNV: UInt32 = 0x149
        static let nvRead: UInt32 = 0x14e
        static let policySecret: UInt32 = 0x151
        static let policyAuthValue: UInt32 = 0x16b
        static let policyCommandCode: UInt32 = 0x16c
        static let policyOR: UInt32 = 0x171
        static let policyPCR: UInt32 = 0x17f
        static let policyNvWritten: UInt32 = 0x18f
    }

    /// Attributes of NV indices.
    enum Index {
        static let authWrite: UInt32 = 1 << 2
        static let policyWrite: UInt32 = 1 << 3
        static let counter: UInt32 = 1 << 4
        static let pinFail: UInt32 = 8 << 4
        static let authRead: UInt32 = 1 << 18
        static let policyRead: UInt32 = 1 << 19
        static let noDictionaryAttack: UInt32 = 1 << 25
        static let written: UInt32 = 1 << 29
    }

    /// The indices that this room defines: the counter of a vault on an even number, its PIN index on an odd one.
    static let indices: ClosedRange<UInt32> = 0x0180_4d00...0x0180_4dff
    /// What a counter can have counted to. None gets to the end in the life of a TPM: who says more lies, and what is
    /// computed with the next value would run over.
    static let counterValues: ClosedRange<UInt64> = 1...UInt64(Int64.max)
    /// Where the storage key is, if the machine's owner made it persistent.
    static let persistentStorageKey: UInt32 = 0x8100_0001
}
