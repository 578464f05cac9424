#if os(Linux)
    import Threads

    /// The watch of Linux: a thread that sleeps until the kernel has something to tell.
    final class KernelWatch: NetworkWatch {
        private let probes: KernelProbes

        /// - Parameter places: where devices are found; elsewhere in tests.
        init(_ places: KernelProbes.Places = .init()) throws(NetworkWatchError) {
            let probes = try KernelProbes(places)
            self.probes = probes
            probes.look()
            let isStarted = SystemThread.tryStart {
                while probes.wait() { probes.look() }
            }
            guard isStarted else { throw NetworkWatchError(description: "No thread can be made to watch the network.") }
        }

        deinit { probes.end() }

        var descriptor: CInt { probes.reports.descriptor }

        func nextReport() -> NetworkReport? { probes.reports.next() }

        func look() { probes.look() }
    }
#endif
