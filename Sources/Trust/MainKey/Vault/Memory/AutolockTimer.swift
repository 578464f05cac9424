import BasicFoundation
import CLinux
import Dispatch
import Sockets
import Synchronization

/// Fires at a time of the clock that counts sleep, also right after the machine wakes (`mainkey` section 21).
///
/// Where the system has no such timer, one that does not count sleep is used; every access checks the clock itself.
final class AutolockTimer: Sendable {
    private struct State {
        var deadline: UInt64?
        /// Waits for the timer that counts sleep.
        var watch: DescriptorWatch?
        var descriptor: Int32 = -1
        /// The timer that is used where there is none.
        var source: (any DispatchSourceProtocol)?
        var fire: (@Sendable () -> Void)?
    }

    // Dispatch's source may be used from any thread; it is only touched under the lock.
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "casemate.mainkey.autolock")

    /// - Parameter action: called on a queue of its own.
    func onFire(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.fire = action }
    }

    /// The time that the timer is set to.
    var deadline: UInt64? { state.withLock { $0.deadline } }

    /// - Parameter deadline: milliseconds since the machine was started; nil for none.
    func schedule(at deadline: UInt64?) {
        state.withLock { state in
            guard deadline != state.deadline else { return }
            state.deadline = deadline
            if state.descriptor < 0, deadline != nil { start(&state) }
            if state.descriptor >= 0 {
                _ = clinux_boot_timer_set(state.descriptor, deadline.map { Int64(clamping: $0) } ?? -1)
            } else if let deadline {
                startWithoutSleep(&state, deadline)
            }
        }
    }

    private func start(_ state: inout State) {
        let descriptor = clinux_boot_timer_open()
        guard descriptor >= 0 else { return }
        let watch = DescriptorWatch(
            descriptor, on: queue,
            onReadable: { [weak self] in
                if clinux_boot_timer_take(descriptor) > 0 { self?.fired() }
            },
            onEnd: { close(descriptor) })
        guard let watch else {
            close(descriptor)
            return
        }
        state.descriptor = descriptor
        state.watch = watch
    }

    private func startWithoutSleep(_ state: inout State, _ deadline: UInt64) {
        state.source?.cancel()
        let now = BootInstant.milliseconds()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(Int(clamping: deadline > now ? deadline - now : 0)))
        source.setEventHandler { [weak self] in self?.fired() }
        source.activate()
        state.source = source
    }

    func cancel() {
        state.withLock { state in
            state.fire = nil
            state.watch?.cancel()
            state.watch = nil
            state.descriptor = -1
            state.source?.cancel()
            state.source = nil
        }
    }

    private func fired() {
        let action = state.withLock { state in
            state.deadline = nil
            return state.fire
        }
        action?()
    }
}
