import CLibrary
internal import Files

extension GateMetrics.ProcessFacts {
    /// What the system says of this process; 0 for what it does not say.
    static func now() -> GateMetrics.ProcessFacts {
        var processor = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
        return GateMetrics.ProcessFacts(
            cpuTime: .seconds(processor.tv_sec) + .nanoseconds(processor.tv_nsec), residentBytes: residentBytes,
            openFiles: openFiles, startTime: Timestamp(milliseconds: Int64(startTime) * 1_000))
    }

    /// When the process started, read when this is asked for first, which is soon after the start.
    private static let startTime: Int = {
        let fields = statFields
        guard fields.count > 19, let ticks = Double(fields[19]) else { return time(nil) }
        let uptime = words("/proc/uptime").first.flatMap { Double($0) } ?? 0
        let age = uptime - ticks / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        return time(nil) - Int(max(0, age))
    }()

    private static var residentBytes: Int {
        let pages = words("/proc/self/statm").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static var openFiles: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Beside the folder itself, `.` and `..`.
        return max(0, count - 3)
    }

    /// The fields of `stat` behind the name, which may hold spaces.
    private static var statFields: [Substring] {
        let text = text("/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func words(_ path: String) -> [Substring] { text(path).split(separator: " ") }

    private static func text(_ path: String) -> String {
        let content = try? InputFile.content(of: FilePath(path), limit: FileContent.maximumBytes)
        return String(decoding: content ?? [], as: UTF8.self)
    }
}
