import BasicFoundation
import ForceFieldWatch
import Scheduling

/// What idle workers cost the machine, in KiB for each: their own pages and their wardens', page tables, and the
/// kernel's slabs.
struct IdleMemory: Encodable {
    let workers: Int
    let pages: Double
    let pageTables: Double
    let slab: Double

    var all: Double { pages + pageTables + slab }

    /// - Returns: nil where the kernel does not say, as to users other than root.
    init?(of count: Int, _ plan: WorkerPlan) throws {
        let before = Self.slab()
        var workers: [WatchedWorker] = []
        for _ in 0..<count {
            let worker = try WatchedWorker(plan)
            while !worker.isStarted {
                if [.ended, .timeout].contains(worker.next(before: SteadyInstant.now + .seconds(5))) { return nil }
            }
            workers.append(worker)
        }
        // They go on until they wait for their host.
        usleep(200_000)
        let slab = Self.slab() - before
        let processes = workers.compactMap(\.warden).flatMap { [$0] + Self.children(of: $0) }
        let pages = processes.compactMap { Self.field("Pss", of: "/proc/\($0)/smaps_rollup") }
        let tables = processes.compactMap { Self.field("VmPTE", of: "/proc/\($0)/status") }
        guard pages.count == 2 * count else { return nil }
        self.workers = count
        self.pages = pages.reduce(0, +) / Double(count)
        pageTables = tables.reduce(0, +) / Double(count)
        self.slab = slab / Double(count)
    }

    private static func slab() -> Double { field("Slab", of: "/proc/meminfo") ?? 0 }

    private static func children(of process: Int32) -> [Int32] {
        text("/proc/\(process)/task/\(process)/children").split(separator: " ").compactMap { Int32($0) }
    }

    private static func field(_ name: String, of path: String) -> Double? {
        text(path).split(separator: "\n").first { $0.hasPrefix("\(name):") }
            .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
