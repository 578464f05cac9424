#if canImport(CSystemd)
    import CSystemd
    import Dispatch
    import Foundation
    import Sockets

    /// A connection that says what logind says; only if it is told to, it also has logind's name and answers as logind
    /// does.
    // @unchecked: everything that changes is used on the queue.
    package final class FakeLogind: @unchecked Sendable {
        package static let ownSession = "/org/freedesktop/login1/session/_32"
        package static let otherSession = "/org/freedesktop/login1/session/_37"

        private let queue = DispatchQueue(label: "fake-logind")
        private let bus: OpaquePointer
        private var watch: DescriptorWatch?
        /// The ends that stay here of inhibitors that were given out.
        private var given: [Int32] = []
        private var callers: [String] = []
        private var session: String? = ownSession
        private var isPreparing = false
        private var isLocked: Bool
        private var holdsBack = false
        /// Calls whose answers are held back.
        private var unanswered: [OpaquePointer] = []

        struct Failed: Error {
            let what: String
            let code: Int32
        }

        /// - Parameter isLocked: what the session's desktop says from the beginning.
        package init(on address: String, ownsName: Bool = true, isLocked: Bool = false) throws {
            self.isLocked = isLocked
            var bus: OpaquePointer?
            guard sd_bus_new(&bus) >= 0, let bus else { throw Failed(what: "new", code: 0) }
            self.bus = bus
            sd_bus_set_address(bus, address)
            sd_bus_set_bus_client(bus, 1)
            let started = sd_bus_start(bus)
            guard started >= 0 else { throw Failed(what: "start", code: started) }
            if ownsName { try takeName() }
            let descriptor = fcntl(sd_bus_get_fd(bus), F_DUPFD_CLOEXEC, 3)
            // Used on the queue, whose last piece of work is this.
            nonisolated(unsafe) let served = bus
            watch = DescriptorWatch(
                descriptor, on: queue, onReadable: { [weak self] in self?.serve() },
                onEnd: {
                    close(descriptor)
                    sd_bus_close_unref(served)
                })
            queue.sync { serve() }
        }

        deinit {
            watch?.cancel()
            for descriptor in given { close(descriptor) }
        }

        private func takeName() throws {
            let taken = sd_bus_request_name(bus, "org.freedesktop.login1", 0)
            guard taken >= 0 else { throw Failed(what: "name", code: taken) }
        }

        package func giveNameUp() { _ = queue.sync { sd_bus_release_name(bus, "org.freedesktop.login1") } }

        /// What it says that the caller's session is; nil for none.
        package func setSession(_ path: String?) { queue.sync { session = path } }

        package func setPreparing(_ isPreparing: Bool) { queue.sync { self.isPreparing = isPreparing } }

        /// What the session's desktop says, without a signal.
        package func setLocked(_ isLocked: Bool) { queue.sync { self.isLocked = isLocked } }

        /// Leaves calls for a delay of sleep unanswered from now on, as a busy machine does.
        package func holdBackDelays() { queue.sync { holdsBack = true } }

        package func answerDelays() {
            queue.sync {
                holdsBack = false
                for call in unanswered {
                    answer(call)
                    sd_bus_message_unref(call)
                }
                unanswered = []
            }
        }

        /// How many calls for a delay wait for their answer.
        package var heldBack: Int { queue.sync { unanswered.count } }

        /// Who called, by the names that the bus gives.
        package var calling: [String] { queue.sync { callers } }

        /// How many inhibitors somebody still holds.
        package var held: Int {
            queue.sync {
                given.count { descriptor in
                    var state = pollfd(fd: descriptor, events: 0, revents: 0)
                    poll(&state, 1, 0)
                    return state.revents & Int16(POLLHUP) == 0
                }
            }
        }

        package var handedOut: Int { queue.sync { given.count } }

        // MARK: Answers

        private func serve() {
            while true {
                var message: OpaquePointer?
                let result = sd_bus_process(bus, &message)
                if result < 0 { watch?.cancel() }
                guard result > 0 else { return }
                if let message {
                    answer(message)
                    sd_bus_message_unref(message)
                }
            }
        }

        private func answer(_ call: OpaquePointer) {
            guard sd_bus_message_is_method_call(call, nil, nil) > 0 else { return }
            if holdsBack, sd_bus_message_is_method_call(call, nil, "Inhibit") > 0 {
                return unanswered.append(sd_bus_message_ref(call))
            }
            if let sender = sd_bus_message_get_sender(call) { callers.append(String(cString: sender)) }
            var reply: OpaquePointer?
            sd_bus_message_new_method_return(call, &reply)
            defer { sd_bus_message_unref(reply) }
            if sd_bus_message_is_method_call(call, nil, "GetSession") > 0 {
                guard let session else {
                    var error = sd_bus_error()
                    sd_bus_error_set(&error, "org.freedesktop.login1.NoSessionForPID", "none")
                    sd_bus_reply_method_error(call, &error)
                    sd_bus_error_free(&error)
                    return
                }
                sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "o")), session)
            } else if sd_bus_message_is_method_call(call, nil, "Inhibit") > 0 {
                var ends: [Int32] = [0, 0]
                pipe(&ends)
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                given.append(ends[0])
                sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "h")), &ends[1])
                sd_bus_send(bus, reply, nil)
                sd_bus_flush(bus)
                close(ends[1])
                return
            } else if sd_bus_message_is_method_call(call, nil, "Get") > 0 {
                // Of the manager or of the session.
                let isManager = String(cString: sd_bus_message_get_path(call)) == "/org/freedesktop/login1"
                var value: Int32 = (isManager ? isPreparing : isLocked) ? 1 : 0
                sd_bus_message_open_container(reply, CChar(UInt8(ascii: "v")), "b")
                sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "b")), &value)
                sd_bus_message_close_container(reply)
            }
            sd_bus_send(bus, reply, nil)
        }

        // MARK: Signals

        package func lock(_ session: String = ownSession, to destination: String? = nil) {
            emit(session, "org.freedesktop.login1.Session", "Lock", to: destination) { _ in }
        }

        package func prepareForSleep(_ isGoing: Bool, to destination: String? = nil) {
            emit("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", to: destination) {
                var value: Int32 = isGoing ? 1 : 0
                sd_bus_message_append_basic($0, CChar(UInt8(ascii: "b")), &value)
            }
        }

        /// What a desktop makes logind say.
        package func hint(_ value: Bool, named name: String = "LockedHint", of session: String = ownSession) {
            emit(session, "org.freedesktop.DBus.Properties", "PropertiesChanged", to: nil) { message in
                sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), "org.freedesktop.login1.Session")
                sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}")
                // The one that counts is not the first.
                for (name, value) in [("Active", Int32(1)), (name, value ? 1 : 0)] {
                    var value = value
                    sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv")
                    sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), name)
                    sd_bus_message_open_container(message, CChar(UInt8(ascii: "v")), "b")
                    sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &value)
                    sd_bus_message_close_container(message)
                    sd_bus_message_close_container(message)
                }
                sd_bus_message_close_container(message)
                sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "s")
                sd_bus_message_close_container(message)
            }
        }

        /// Returns once the bus has passed it on.
        private func emit(
            _ path: String, _ interface: String, _ member: String, to destination: String?,
            _ fill: (OpaquePointer?) -> Void
        ) {
            queue.sync {
                var message: OpaquePointer?
                sd_bus_message_new_signal(bus, &message, path, interface, member)
                defer { sd_bus_message_unref(message) }
                fill(message)
                if let destination { sd_bus_message_set_destination(message, destination) }
                sd_bus_send(bus, message, nil)
                var call: OpaquePointer?
                sd_bus_message_new_method_call(
                    bus, &call, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
                var answer: OpaquePointer?
                sd_bus_call(bus, call, 0, nil, &answer)
                sd_bus_message_unref(call)
                sd_bus_message_unref(answer)
                // What came meanwhile is read already, and wakes nobody.
                serve()
            }
        }
    }
#endif
