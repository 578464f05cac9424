/// How much Argon2id may cost on a machine, from how fast and how large it is.
///
/// Source: `mainkey` section 11.
package struct Argon2Calibration: Hashable, Sendable {
    /// The nanoseconds that one pass over one MiB takes.
    package var nanosecondsPerMiB: Int
    package var memoryMiB: Int
    /// The memory that the process's control group may use; nil where there is no limit.
    package var groupLimitMiB: Int?

    package static let standardTarget: Duration = .milliseconds(500)

    private static let memoryMost = 256
    /// The memory in MiB below which one pass more is made.
    private static let memoryUsual = 64
    /// The least memory in MiB that is ever written.
    private static let memoryLeast = 19
    private static let passesMost = 10
    /// The share of the memory that unlocking may take: an eighth at the most.
    private static let memoryShare = 8

    package init(nanosecondsPerMiB: Int, memoryMiB: Int, groupLimitMiB: Int? = nil) {
        self.nanosecondsPerMiB = nanosecondsPerMiB
        self.memoryMiB = memoryMiB
        self.groupLimitMiB = groupLimitMiB
    }

    /// The cost that comes nearest to `target` without going below the minimum that is written: memory is halved only
    /// where the least number of passes would take twice as long.
    package func cost(target: Duration = standardTarget) -> Argon2Cost {
        // Wide enough for any clock: beyond these bounds the outcome is that of the bound.
        let rate = Double(max(1, nanosecondsPerMiB))
        let target = max(0, target / .nanoseconds(1))

        let most = min(memoryMiB, groupLimitMiB ?? memoryMiB) / Self.memoryShare
        var memory = 1
        while memory < Self.memoryMost && memory * 2 <= most { memory *= 2 }
        if memory < Self.memoryUsual { memory = max(memory, Self.memoryLeast) }
        let passesLeast = memory >= Self.memoryUsual ? 3 : 4
        while memory > Self.memoryUsual && Double(passesLeast * memory) * rate > 2 * target { memory /= 2 }
        let fitting = (target / (rate * Double(memory))).rounded(.down)
        let passes = min(max(fitting, Double(passesLeast)), Double(Self.passesMost))
        return Argon2Cost(passes: UInt32(passes), memoryKiB: UInt32(memory) << 10)
    }
}
