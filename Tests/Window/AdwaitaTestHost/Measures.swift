#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Glibc
    import Navigator
    import Screens

    @MainActor
    enum Measures {
        /// Times and sizes, for people: the first frame, a page, a film, memory.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let stage = Stage(application, width: 1_000, height: 800)
            stage.view.show(Samples.keys)
            await stage.frames(1)
            if let name = arguments.first, let page = Samples.all[name] {
                let start = processorTime()
                for _ in 0..<100 {
                    stage.view.show(page.underneath)
                    stage.view.show(page)
                    await stage.frames(1)
                }
                stage.window.destroy()
                return ["\(name): \(milliseconds((processorTime() - start) / 100)) of the processor each time"]
            }
            lines.append("first frame: \(milliseconds(sinceStart())) after the start of the program")
            for (name, page) in Samples.all.sorted(by: { $0.key < $1.key }) {
                // The first time, fonts and styles are looked up.
                for time in ["first", "later"] {
                    // What lies over a page comes when that is there.
                    stage.view.show(page.underneath)
                    await stage.frames(2)
                    let (start, processor) = (ContinuousClock.now, processorTime())
                    stage.view.show(page)
                    let made = ContinuousClock.now
                    await stage.frames(1)
                    lines.append(
                        "\(name), \(time): made in \(milliseconds((made - start) / .seconds(1))), drawn after "
                            + "\(milliseconds((ContinuousClock.now - start) / .seconds(1))), "
                            + "\(milliseconds(processorTime() - processor)) of the processor")
                }
            }
            stage.view.show(Samples.code(moving: true))
            await stage.frames(2)
            stage.find("speed of codes").first?.use { gtk_range_set_value(UnsafeMutablePointer(OpaquePointer($0)), 30) }
            await pause(milliseconds: 500)
            let side = stage.find("code picture").first?.height ?? 0
            let before = processorTime()
            await pause(milliseconds: 5_000)
            lines.append(
                "film of 30 codes a second, \(side) pixels: \((processorTime() - before) / 5 * 100) % of a core")
            lines.append("memory (PSS): \(proportionalMemory()) kB")
            stage.window.destroy()
            return lines
        }

        /// Milliseconds of the processor that each page takes, the middle of so many times.
        static func pages(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application, width: 1_000, height: 800)
            var lines: [String] = []
            for (name, page) in Samples.all.sorted(by: { $0.key < $1.key }) {
                var times: [Double] = []
                for _ in 0..<(arguments.first.flatMap { Int($0) } ?? 25) {
                    stage.view.show(page.underneath)
                    await stage.frames(2)
                    let start = processorTime()
                    stage.view.show(page)
                    await stage.frames(1)
                    times.append(processorTime() - start)
                }
                lines.append("\(name): \(milliseconds(times.sorted()[times.count / 2]))")
            }
            stage.window.destroy()
            return lines
        }

        private static func milliseconds(_ seconds: Double) -> String { "\((seconds * 10_000).rounded() / 10) ms" }

        /// Seconds since the kernel started this program.
        private static func sinceStart() -> Double {
            let fields = read("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 19, let ticks = Double(fields[19]) else { return -1 }
            var now = timespec()
            clock_gettime(CLOCK_BOOTTIME, &now)
            return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        private static func proportionalMemory() -> String {
            let line = read("/proc/self/smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return line?.split(separator: " ").dropFirst().first.map(String.init) ?? "unknown"
        }

        static func read(_ path: String) -> String {
            guard let file = fopen(path, "r") else { return "" }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 14)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    extension Page {
        /// What is on the screen before it: the page that it lies over, or another one.
        @MainActor
        fileprivate var underneath: Page {
            guard sheet != nil || alert != nil else { return Samples.empty }
            var page = self
            (page.sheet, page.alert, page.position) = (nil, nil, Position(position.screen))
            return page
        }
    }
#endif
