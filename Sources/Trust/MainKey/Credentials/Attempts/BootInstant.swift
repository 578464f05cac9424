import BasicFoundation

/// A time that nobody can set: milliseconds since the machine was started, time asleep included, and which start that
/// was.
package struct BootInstant: Equatable, Sendable {
    /// The start of the machine, by 16 bytes that are random for each.
    package var bootID: [UInt8]
    package var milliseconds: UInt64

    static let bootIDByteCount = 16

    package init(bootID: [UInt8], milliseconds: UInt64) {
        self.bootID = bootID
        self.milliseconds = milliseconds
    }

    static func now() throws(MainKeyError) -> BootInstant {
        BootInstant(bootID: try currentBootID(), milliseconds: milliseconds())
    }

    /// The clock alone, for what does not outlive the process.
    static func milliseconds() -> UInt64 {
        var time = timespec()
        // Neither clock can fail with a valid pointer.
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }

    /// How long the machine has slept since it was started, as far as its clocks tell; 0 where they do not.
    static func asleepMilliseconds() -> UInt64 {
        #if os(Linux)
            var awake = timespec()
            clock_gettime(CLOCK_MONOTONIC, &awake)
            let milliseconds = UInt64(awake.tv_sec) * 1000 + UInt64(awake.tv_nsec) / 1_000_000
            // In a namespace with clocks of its own the second may be behind the first.
            let whole = Self.milliseconds()
            return whole > milliseconds ? whole - milliseconds : 0
        #else
            return 0
        #endif
    }

    #if os(Linux)
        private static let clock = CLOCK_BOOTTIME

        private static func currentBootID() throws(MainKeyError) -> [UInt8] {
            let path = "/proc/sys/kernel/random/boot_id"
            let text: String
            do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
                throw .io(path: path, reason: "it cannot be read, so the delay after wrong PINs cannot be kept")
            }
            return try parse(bootID: text, from: path)
        }
    #else
        // Counts time asleep, unlike CLOCK_UPTIME_RAW.
        private static let clock = CLOCK_MONOTONIC_RAW

        private static func currentBootID() throws(MainKeyError) -> [UInt8] {
            let name = "kern.bootsessionuuid"
            var text = [CChar](repeating: 0, count: 64)
            var count = text.count
            guard sysctlbyname(name, &text, &count, nil, 0) == 0 else {
                throw .io(path: name, reason: String(cString: strerror(errno)))
            }
            return try parse(bootID: String(cString: text), from: name)
        }
    #endif

    private static func parse(bootID text: String, from path: String) throws(MainKeyError) -> [UInt8] {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let id = UUID(uuidString: String(words[0])) else {
            throw .io(path: path, reason: "it holds no identifier")
        }
        return withUnsafeBytes(of: id.uuid) { Array($0) }
    }
}
