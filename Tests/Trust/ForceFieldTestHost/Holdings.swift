import ForceField
import ForceFieldTestMethods
import Glibc

/// What this process holds of what workers need.
struct Holdings: CustomStringConvertible {
    private var descriptors = Self.countOfDescriptors()
    private var threads = Self.count("/proc/self/task")
    private(set) var children = Self.countOfChildren()
    /// The number of mounts in this process's namespace.
    private var mounts = ProcFile.text("/proc/self/mountinfo").utf8.count { $0 == UInt8(ascii: "\n") }

    var description: String { "\(descriptors) \(threads) \(children) \(mounts)" }

    /// Prints how many workers were started, and what is held after one of them and after all.
    static func compare(over count: Int) async throws {
        _ = try await serve(1)
        // The first sleep brings descriptors that stay.
        try await Task.sleep(for: .milliseconds(1))
        let before = await settled(below: .max)
        print(try await serve(count))
        print(before)
        let after = await settled(below: before.descriptors)
        print(after)
        // Whoever reads that the test has failed wants to know which.
        if after.descriptors > before.descriptors {
            let open = names("/proc/self/fd").map { "\($0) \(ProcFile.target("/proc/self/fd/\($0)"))" }
            let text = Array("open: \(open.joined(separator: ", "))\n".utf8)
            _ = write(2, text, text.count)
        }
    }

    /// - Returns: calls that were answered, each by a worker of its own.
    private static func serve(_ count: Int) async throws -> Int {
        let field = try ForceField(
            worker: .beside("HostileWorker"),
            policy: Policy {
                $0.lifetime = .perRequest
                $0.maxWorkers = 2
                $0.prewarm = 2
                $0.startTimeout = .seconds(300)
            },
            interface: Hostile.interface())
        let served = try await withThrowingTaskGroup(of: Int.self) { group in
            for half in 0..<2 {
                group.addTask {
                    let share = (count + half) / 2
                    for _ in 0..<share { _ = try await field.call(Hostile.act, [0, 1]) }
                    return share
                }
            }
            return try await group.reduce(0, +)
        }
        await field.terminate()
        return served
    }

    /// Memory files and control groups go a moment after the last worker.
    private static func settled(below descriptors: Int) async -> Holdings {
        var now = Holdings()
        for _ in 0..<6_000 where now.descriptors > descriptors || now.children > 0 {
            try? await Task.sleep(for: .milliseconds(10))
            now = Holdings()
        }
        return now
    }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func count(_ path: String) -> Int { names(path).count }

    /// The timers of libdispatch, one for each clock, come when they are first needed and stay: they count as there
    /// from the start.
    private static func countOfDescriptors() -> Int {
        let targets = names("/proc/self/fd").map { ProcFile.target("/proc/self/fd/\($0)") }
        let timers = targets.count { $0 == "anon_inode:[timerfd]" }
        return targets.count - timers + max(timers, 3)
    }

    static func children() -> [Int32] {
        names("/proc/self/task").flatMap { thread in
            ProcFile.text("/proc/self/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
        }
    }

    private static func countOfChildren() -> Int { children().count }

    /// Some are waited for a moment after their field has ended.
    static func childrenLeft() async -> Int { await settled(below: .max).children }
}
