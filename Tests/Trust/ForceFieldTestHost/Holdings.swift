import ForceField
import Glibc
import HostileActs

/// What this process holds of what workers need.
struct Holdings: CustomStringConvertible {
    private var descriptors = Self.count("/proc/self/fd")
    private var threads = Self.count("/proc/self/task")
    private(set) var children = Self.countOfChildren()

    var description: String { "\(descriptors) \(threads) \(children)" }

    /// Prints what is held after one worker, and after many more.
    static func compare(over count: Int) async throws {
        try await serve(1)
        // The first sleep brings descriptors that stay.
        try await Task.sleep(for: .milliseconds(1))
        print(await settled(below: .max))
        let before = Holdings()
        try await serve(count)
        print(await settled(below: before.descriptors))
    }

    private static func serve(_ count: Int) async throws {
        let field = try ForceField(
            worker: .beside("HostileWorker"),
            policy: Policy {
                $0.lifetime = .perRequest
                $0.maxWorkers = 2
                $0.prewarm = 2
            },
            interface: Hostile.interface())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for half in 0..<2 {
                group.addTask {
                    for _ in 0..<(count + half) / 2 { _ = try await field.call(Hostile.act, [0, 1]) }
                }
            }
            try await group.waitForAll()
        }
        await field.terminate()
    }

    /// Memory files and control groups go a moment after the last worker.
    private static func settled(below descriptors: Int) async -> Holdings {
        var now = Holdings()
        for _ in 0..<1_000 where now.descriptors > descriptors || now.children > 0 {
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

    static func children() -> [Int32] {
        names("/proc/self/task").flatMap { thread in
            ProcFile.text("/proc/self/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
        }
    }

    private static func countOfChildren() -> Int { children().count }

    /// Some are waited for a moment after their field has ended.
    static func childrenLeft() async -> Int { await settled(below: .max).children }
}
