#if canImport(CAdwaita)
    import Adwaita

    /// Does something once a time has passed, for as long as this is held. Sleep counts, in which the loop's own timers
    /// stand still.
    @MainActor
    final class Countdown {
        private let timer: Timeout

        init(seconds: Int, _ run: @escaping @MainActor () -> Void) {
            let end = ContinuousClock.now + .seconds(seconds)
            timer = Timeout(milliseconds: 1000) {
                guard ContinuousClock.now >= end else { return true }
                run()
                return false
            }
        }
    }
#endif
