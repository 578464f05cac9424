#if os(Linux)
    import CLinux
    import Files
    import Glibc
    import Synchronization
    import Threads

    /// All probes of Linux: interfaces and routes by rtnetlink, radios by rfkill, USB controllers by their state.
    ///
    /// What the kernel reports between two looks counts as well: a link that went up and down again is reported as up,
    /// then as down.
    ///
    /// Source: `signer-product` section 5.
    final class KernelProbes: Sendable {
        /// Where devices are found.
        struct Places: Sendable {
            var radioDevice: FilePath = "/dev/rfkill"
            var radioList: FilePath = "/sys/class/rfkill"
            var gadgetList: FilePath = "/sys/class/udc"
        }

        private struct State {
            var radios: Radios
            var gadgets: Gadgets
            /// Why the kernel is not asked any more.
            var fault: String?
            /// Whether nobody wants to be told any more.
            var isOver = false
            /// Whether the thread that waits was told to take up other descriptors, and has not yet.
            var isStale = false

            /// How many files were opened so far, which all are waited for.
            var openings: Int { radios.openings + gadgets.openings }
        }

        let reports: ReportQueue
        private let state: Mutex<State>
        private let changes: OpenFile
        private let questions: LinkQuestions
        private let devices: OpenFile
        /// Wakes the thread that waits, for the last time.
        private let ending: WakeDescriptor
        /// Wakes it where another thread's look has opened what it is to wait for.
        private let stale: WakeDescriptor

        /// The namespace that is watched is that of the thread which calls this.
        init(_ places: Places) throws(NetworkWatchError) {
            reports = try ReportQueue()
            changes = try Self.open(clinux_network_watch(), "rtnetlink")
            questions = try LinkQuestions()
            devices = try Self.open(clinux_device_watch(), "uevents")
            ending = try .make()
            stale = try .make()
            state = Mutex(
                State(
                    radios: Radios(device: places.radioDevice, list: places.radioList),
                    gadgets: Gadgets(list: places.gadgetList)))
        }

        private static func open(_ descriptor: CInt, _ name: String) throws(NetworkWatchError) -> OpenFile {
            guard descriptor >= 0 else { throw error(name) }
            return OpenFile(owning: FileDescriptor(rawValue: descriptor), path: FilePath(name))
        }

        private static func error(_ name: String) -> NetworkWatchError {
            NetworkWatchError(description: "The network cannot be watched by \(name): \(Errno.lastText).")
        }

        // MARK: Looking

        /// Asks everything, and adds what was up meanwhile and what is found now.
        func look() {
            state.withLock { state in
                // News are taken before the question: what comes after it wakes the thread again.
                var meanwhile = Sight()
                let isLost = meanwhile.collect { clinux_network_take(changes.descriptor.rawValue, $0) }
                if isLost < 0 { state.fault = Errno.lastText }
                if clinux_device_take(devices.descriptor.rawValue) < 0 { state.fault = Errno.lastText }
                var now = Sight()
                if state.fault == nil {
                    do throws(NetworkWatchError) {
                        now = try questions.ask()
                    } catch { state.fault = error.description }
                }
                let openings = state.openings
                let (freeMeanwhile, radios) = state.radios.look()
                func finding(_ names: [String]) -> NetworkReport.Finding {
                    state.fault.map { .failed($0) } ?? (names.isEmpty ? .quiet : .up(names))
                }
                let report = NetworkReport(
                    findings: [
                        .interfaces: finding(now.up), .routes: finding(now.routed), .radios: radios,
                        .gadgets: state.gadgets.look(),
                    ], isIsolated: state.fault == nil ? now.isEmpty : nil)
                if state.openings != openings, !state.isStale {
                    state.isStale = true
                    stale.raise()
                }
                if isLost == 1 {
                    let text = "The kernel had more to tell than was kept."
                    report.past([.interfaces: .failed(text), .routes: .failed(text)]).map(reports.add)
                }
                report.past([
                    .interfaces: finding(meanwhile.up), .routes: finding(meanwhile.routed),
                    .radios: freeMeanwhile.isEmpty ? .quiet : .up(freeMeanwhile),
                ]).map(reports.add)
                reports.add(report)
            }
        }

        // MARK: Waiting

        /// Waits for something new.
        ///
        /// - Returns: false once nobody wants to be told any more, or nothing can be told.
        func wait() -> Bool {
            let (readable, objects) = state.withLock { state in
                if state.isStale {
                    state.isStale = false
                    stale.clear()
                }
                let kernel = state.fault == nil ? [changes.descriptor.rawValue, devices.descriptor.rawValue] : []
                return (
                    kernel + [state.radios.descriptor, ending.descriptor, stale.descriptor], state.gadgets.descriptors
                )
            }
            let code = clinux_network_wait(readable, CInt(readable.count), objects, CInt(objects.count))
            return state.withLock { state in
                if code != 0, state.fault == nil {
                    state.fault = Errno.lastText
                    return true
                }
                return code == 0 && !state.isOver
            }
        }

        func end() {
            state.withLock { $0.isOver = true }
            ending.raise()
        }
    }

    extension Errno {
        /// What the last call of this thread failed with, in words.
        static var lastText: String { "\(Errno(rawValue: errno))" }
    }
#endif
