#if canImport(CAdwaita)
    import Adwaita
    import Glibc

    @MainActor
    enum Loops {
        private static var done = 0

        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            done = 0
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        for _ in 0..<10 {
                            await Task.yield()
                            await MainActor.run { done += 1 }
                        }
                    }
                }
            }
            lines.append("tasks: \(done)")
            // Drawing goes on beside tasks that never end by themselves.
            let stage = Stage(application)
            stage.view.show(Samples.keys)
            let busy = Task { while !Task.isCancelled { await Task.yield() } }
            await stage.frames(5)
            busy.cancel()
            await busy.value
            lines.append("drawn beside a busy task")
            // On a busy machine what there was to do is done later.
            var share = Double.infinity
            for _ in 0..<60 where share >= 0.1 {
                await pause(milliseconds: 300)
                let before = processorTime()
                await pause(milliseconds: 1_000)
                share = processorTime() - before
            }
            lines.append(share < 0.1 ? "idle" : "busy: \(share) s of processor time in a second")
            stage.window.destroy()
            return lines
        }
    }

    /// Seconds of the processor that this program has used.
    func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
#endif
