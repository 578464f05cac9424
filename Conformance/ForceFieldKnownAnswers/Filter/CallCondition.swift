/// Arguments with which a call is allowed, and with which it is not, for each condition of the table.
package struct CallCondition: Sendable {
    package let allowed: [[UInt64]]
    package let refused: [[UInt64]]

    private static let high: UInt64 = 1 << 32

    /// One argument of type `int` at a place: allowed values, and refused ones; the high word does not count.
    private static func int(_ place: Int, _ allowed: [UInt64], not refused: [UInt64]) -> CallCondition {
        func arguments(_ value: UInt64) -> [UInt64] {
            var all: [UInt64] = [7, 7, 7, 7, 7, 7]
            all[place] = value
            return all
        }
        return CallCondition(
            allowed: (allowed + allowed.map { $0 | 7 * high }).map(arguments),
            refused: (refused + refused.map { $0 | 7 * high }).map(arguments))
    }

    /// Calls that the table allows whatever their arguments are, and the filter with some of them alone: others are
    /// forbidden.
    package static let stricterThanTable: Set<String> = ["recvfrom"]

    /// The conditions, by the name of the call.
    package static func all(process: UInt64) -> [String: CallCondition] {
        [
            "sendto": CallCondition(
                allowed: [[3, 1, 1, 0, 0, 0], [9, 9, 9, 0x4040, 0, 9]],
                refused: [
                    [3, 1, 1, 0, 1, 0], [3, 1, 1, 0, high, 0], [3, 1, 1, 0, high | 1, 16], [3, 1, 1, 1, 0, 0],
                ]),
            "recvfrom": int(3, [0, 2, 0x40, 0x100, 0x4000, 0x4000_0142], not: [1, 0x41, 0x20, 0x2000, 0x1_0000]),
            "mmap": int(2, [0, 1, 2, 3, 8], not: [4, 5, 6, 7]),
            "mprotect": int(2, [0, 1, 2, 3, 8], not: [4, 5, 6, 7]),
            "madvise": int(2, [0, 3, 4, 8, 14, 15, 16], not: [1, 2, 5, 7, 9, 12, 13, 17, 100, 0xffff_ffff]),
            "futex": int(
                1, [0, 1, 3, 4, 5, 9, 10, 0x80, 0x189, 0x10a],
                not: [2, 6, 7, 8, 11, 12, 13, 14, 0x86, 0x10d, 0x8b, 0x18c, 0x200, 0x40]),
            "newfstatat": int(3, [0x1000, 0x1100, 0xffff_ffff], not: [0, 0x100, 0x800, 0x2000]),
            "prctl": int(0, [15, 0x5356_4d41], not: [1, 4, 16, 22, 38, 0, 0xffff_ffff]),
            "tgkill": CallCondition(
                allowed: [6, 11, 15, 19].map { [process, 7, $0, 7, 7, 7] },
                refused: [0, 1, process + 1, 0xffff_ffff].map { [$0, 7, 6, 7, 7, 7] }
                    + [9, 24, 25, 31, high | 9].map { [process, 7, $0, 7, 7, 7] }),
            "ioctl": int(1, [0x541b], not: [0x5412, 0x5401, 0, 0x8912]),
            "fcntl": CallCondition(
                allowed: [1, 2, 3, 1030, 1034].map { [3, $0, 0x2000, 0, 0, 0] }
                    + [[3, 4, 0x800, 0, 0, 0], [3, 4, 0, 0, 0, 0]],
                refused: [0, 5, 6, 8, 10, 1024, 1031, 1033].map { [3, $0, 0, 0, 0, 0] } + [[3, 4, 0x2000, 0, 0, 0]]),
            "prlimit64": CallCondition(
                allowed: [[0, 7, 0, 1, 0, 0], [0, 7, 0, 0, 9, 9]],
                refused: [
                    [0, 7, 1, 0, 0, 0], [0, 7, high, 0, 0, 0], [1, 7, 0, 1, 0, 0], [process, 7, 0, 1, 0, 0],
                ]),
            "clone": CallCondition(
                allowed: [], refused: [[0, 0, 0, 0, 0, 0], [0x3d0f00, 0, 0, 0, 0, 0], [17, 0, 0, 0, 0, 0]]),
            "execveat": CallCondition(
                allowed: [[200, 1, 1, 1, 0x1000, 0]],
                refused: [[200, 1, 1, 1, 0, 0], [199, 1, 1, 1, 0x1000, 0], [200, 1, 1, 1, 0x1100, 0]]),
            "arch_prctl": int(0, [0x1002], not: [0x1001, 0x1003, 0x1004, 0]),
        ]
    }
}
