import BasicFoundation
import SecretMemory

extension Argon2Calibration {
    private static let runs = 3
    private static let measured = Argon2Cost(passes: 1, memoryKiB: 64 << 10)

    /// Measures this machine, for about a tenth of a second.
    package static func measure() throws(MainKeyError) -> Argon2Calibration {
        let password = try secret { try SecretBytes(count: 8) { _ in } }
        let salt = [UInt8](repeating: 0, count: Argon2id.saltByteCount)
        var times: [Duration] = []
        for _ in 0..<runs {
            let start = ContinuousClock.now
            _ = try Argon2id.stretch(password, salt: salt, cost: measured)
            times.append(ContinuousClock.now - start)
        }
        let median = times.sorted()[runs / 2]
        return Argon2Calibration(
            nanosecondsPerMiB: Int(median / .nanoseconds(1)) / (Int(measured.memoryKiB) >> 10),
            memoryMiB: Int(ProcessInfo.processInfo.physicalMemory >> 20),
            groupLimitMiB: ControlGroup.memoryLimitMiB)
    }
}

/// The control group (version 2) of this process.
enum ControlGroup {
    /// The least limit from the process's group up to the root; nil where there is none.
    static var memoryLimitMiB: Int? {
        guard let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else { return nil }
        return path(ofGroups: groups).flatMap { path in
            limitMiB(ofGroup: path) { try? String(contentsOfFile: $0, encoding: .utf8) }
        }
    }

    /// - Parameter groups: lines `number:controllers:path`; version 2 is number 0 without controllers.
    static func path(ofGroups groups: String) -> Substring? {
        groups.split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst("0::".count)
    }

    static func limitMiB(ofGroup path: Substring, read: (String) -> String?) -> Int? {
        var parts = path.split(separator: "/")
        var least: Int?
        while true {
            let folder = (["/sys/fs/cgroup"] + parts).joined(separator: "/")
            let content = read(folder + "/memory.max")?.split(whereSeparator: \.isWhitespace).first
            if let limit = content.flatMap({ Int($0) }) { least = min(least ?? .max, limit >> 20) }
            guard parts.popLast() != nil else { return least }
        }
    }
}
