import BasicFoundation
import Dispatch
import MainKey
import Threads

/// What happens around a vault that is open for long: changes of the network, locks that nobody of this program asked
/// for, and signals that end it.
///
///     let events = HostEvents { queue.add($0) }
///     if let descriptor = host.networkDescriptor { events.watchNetwork(descriptor) }
///     events.watchLocks()
///     events.takeSignals()
package final class HostEvents: Sendable {
    package enum Event: Sendable {
        case network
        case locked
        case signal(Int32)
    }

    private let take: @Sendable (Event) -> Void
    private let mayWatch = DispatchSemaphore(value: 0)
    /// How long a change of the network waits that is there at once behind the last one: where it cannot be looked at
    /// now, as in a vault that another program keeps busy, it stays there.
    private static let pause = Duration.milliseconds(200)

    /// - Parameter take: gets each event, on a thread of its own.
    package init(_ take: @escaping @Sendable (Event) -> Void) { self.take = take }

    /// Tells of changes of the network as they come; the next one when this one was looked at (``isNetworkSeen()``).
    ///
    /// - Parameter descriptor: readable as long as nobody looked at a change.
    package func watchNetwork(_ descriptor: CInt) {
        SystemThread.start { [self] in
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while true {
                guard poll(&request, 1, -1) > 0 else {
                    if errno == EINTR { continue }
                    return
                }
                take(.network)
                mayWatch.wait()
                if poll(&request, 1, 0) > 0 { SystemThread.sleep(for: Self.pause) }
            }
        }
    }

    /// Says that the last change of the network was looked at.
    package func isNetworkSeen() { mayWatch.signal() }

    /// Tells when a vault of this program locks, whoever asked for it.
    package func watchLocks() {
        MainKeyEvent.observeAll { [take] event in
            if case .removedMainKeyFromMemory = event { take(.locked) }
        }
    }

    /// Takes the signals that end programs: what is held is let go of first.
    ///
    /// - Returns: what takes them, for as long as it is kept.
    package func takeSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [take] in take(.signal(number)) }
            source.resume()
            return source
        }
    }

    /// Ends the process as the signal would have.
    package static func die(of number: Int32) -> Never {
        fflush(nil)
        signal(number, SIG_DFL)
        // Whoever started it may have had the signal blocked, which is inherited.
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
        exit(128 + number)
    }
}
