#if canImport(CSystemd)
    import CSystemd
    import CSystemdSonames
    import Glibc
    import LateLibraries

    /// A connection to a message bus, used by one thread at a time. It is closed with its last reference.
    final class SystemBus {
        struct Failure: Error, CustomStringConvertible {
            /// The action that failed.
            let action: String
            /// The error as the system numbers it.
            let errno: Int32
            /// The name that the other side gave it, such as `org.freedesktop.login1.NoSessionForPID`.
            var name: String?
            /// Why the library cannot be opened, in the loader's words.
            var missingLibrary: String?

            var description: String {
                if let missingLibrary {
                    return "libsystemd, by which it is heard, cannot be opened (\(missingLibrary)): install libsystemd0"
                }
                return "\(action): \(name ?? String(cString: strerror(errno)))"
            }

            /// Whether the machine has no bus there, nothing that listens, or not the library for it.
            var isAbsence: Bool {
                missingLibrary != nil || name == nil && [ENOENT, ECONNREFUSED, ENOTDIR].contains(errno)
            }
        }

        /// Where every system has it. What the environment says is not asked: whoever sets it could answer for the bus,
        /// and keep back what it would tell.
        static let address = "unix:path=/run/dbus/system_bus_socket"

        /// A call is answered in so many microseconds, or has failed.
        private static let patience: UInt64 = 2_000_000

        private let bus: OpaquePointer
        private let functions: UnsafePointer<systemd_functions>
        private var systemd: systemd_functions { functions.pointee }

        /// The library sd-bus, which is opened for the first connection.
        static let library = LateLibrary<systemd_functions>(systemd_sonames(), functions: systemd_function_names())

        /// Begins to connect; the first call waits until that is done.
        init(at address: String, by library: LateLibrary<systemd_functions> = library) throws(Failure) {
            do { functions = try library.opened() } catch {
                throw Failure(action: "opening libsystemd", errno: ENOENT, missingLibrary: error.reason)
            }
            let systemd = functions.pointee
            var bus: OpaquePointer?
            try Self.check(systemd.sd_bus_new(&bus), "sd_bus_new")
            guard let bus else { throw Failure(action: "sd_bus_new", errno: ENOMEM) }
            self.bus = bus
            try Self.check(systemd.sd_bus_set_address(bus, address), "sd_bus_set_address")
            try Self.check(systemd.sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
            try Self.check(systemd.sd_bus_set_method_call_timeout(bus, Self.patience), "sd_bus_set_method_call_timeout")
            try Self.check(systemd.sd_bus_start(bus), "connecting to \(address)")
        }

        deinit {
            _ = systemd.sd_bus_close_unref(bus)
        }

        private static func check(_ result: Int32, _ action: String) throws(Failure) {
            guard result >= 0 else { throw Failure(action: action, errno: -result) }
        }

        /// The descriptor to wait on until something is there to read.
        var descriptor: Int32 {
            get throws(Failure) {
                let descriptor = systemd.sd_bus_get_fd(bus)
                try Self.check(descriptor, "sd_bus_get_fd")
                return descriptor
            }
        }

        /// What has come, one after the other; nil once nothing more is there.
        ///
        /// - Throws: once the connection is lost.
        func next() throws(Failure) -> BusMessage? {
            while true {
                var message: OpaquePointer?
                let result = systemd.sd_bus_process(bus, &message)
                try Self.check(result, "the bus")
                if let message { return BusMessage(owning: message, by: functions) }
                // Above zero it did something else, and more may be there.
                if result == 0 { return nil }
            }
        }

        /// Calls a method and waits for the answer. Nothing is started for it.
        ///
        /// - Parameter arguments: strings.
        func call(
            _ object: BusObject, _ method: String, with arguments: [String] = []
        ) throws(Failure) -> BusMessage {
            let request = try request(object, method, with: arguments)
            defer { _ = systemd.sd_bus_message_unref(request) }
            var error = sd_bus_error()
            defer { systemd.sd_bus_error_free(&error) }
            var answer: OpaquePointer?
            let result = systemd.sd_bus_call(bus, request, 0, &error, &answer)
            guard result >= 0, let answer else {
                throw Failure(action: method, errno: -result, name: error.name.map { String(cString: $0) })
            }
            return BusMessage(owning: answer, by: functions)
        }

        /// Calls a method, whose answer comes with ``next()``, however late.
        ///
        /// - Returns: the number by which the answer is known (``BusMessage/answeredCall``).
        func send(
            _ object: BusObject, _ method: String, with arguments: [String] = []
        ) throws(Failure) -> UInt64 {
            let request = try request(object, method, with: arguments)
            defer { _ = systemd.sd_bus_message_unref(request) }
            var number: UInt64 = 0
            try Self.check(systemd.sd_bus_send(bus, request, &number), method)
            return number
        }

        /// The message that calls a method. The caller gives it back.
        private func request(
            _ object: BusObject, _ method: String, with arguments: [String]
        ) throws(Failure) -> OpaquePointer? {
            var request: OpaquePointer?
            try Self.check(
                systemd.sd_bus_message_new_method_call(
                    bus, &request, object.service, object.path, object.interface, method), method)
            do throws(Failure) {
                try Self.check(systemd.sd_bus_message_set_auto_start(request, 0), method)
                for argument in arguments {
                    try Self.check(
                        systemd.sd_bus_message_append_basic(request, CChar(UInt8(ascii: "s")), argument), method)
                }
            } catch {
                _ = systemd.sd_bus_message_unref(request)
                throw error
            }
            return request
        }
    }

    /// The object that is called, and its interface.
    struct BusObject {
        let service: String
        let path: String
        let interface: String

        static let bus = BusObject(
            service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
        static let logind = BusObject(
            service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
            interface: "org.freedesktop.login1.Manager")
    }

    /// A message that came. Its arguments are read in their order, each once.
    final class BusMessage {
        private let message: OpaquePointer
        private let functions: UnsafePointer<systemd_functions>
        private var systemd: systemd_functions { functions.pointee }

        init(owning message: OpaquePointer, by functions: UnsafePointer<systemd_functions>) {
            self.message = message
            self.functions = functions
        }

        deinit {
            _ = systemd.sd_bus_message_unref(message)
        }

        /// Who sent it, by the name that the bus gives each connection and nobody else can have.
        var sender: String? { systemd.sd_bus_message_get_sender(message).map { String(cString: $0) } }

        /// The number of the call that it answers, also with an error; nil for what answers none.
        var answeredCall: UInt64? {
            var number: UInt64 = 0
            return systemd.sd_bus_message_get_reply_cookie(message, &number) < 0 ? nil : number
        }

        var path: String? { systemd.sd_bus_message_get_path(message).map { String(cString: $0) } }

        func isSignal(_ member: String, of interface: String) -> Bool {
            systemd.sd_bus_message_is_signal(message, interface, member) > 0
        }

        /// A string, or the path of an object.
        func string(_ type: Unicode.Scalar = "s") -> String? {
            var text: UnsafePointer<CChar>?
            guard systemd.sd_bus_message_read_basic(message, CChar(truncatingIfNeeded: type.value), &text) > 0 else {
                return nil
            }
            return text.map { String(cString: $0) }
        }

        func bool() -> Bool? {
            var value: Int32 = 0
            guard systemd.sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0 else { return nil }
            return value != 0
        }

        /// A property's boolean, which comes in a variant.
        func boolInVariant() -> Bool? {
            enter("v", "b") ? bool() : nil
        }

        /// One of the properties that a signal says have changed, where it is a boolean.
        func changedProperty(_ name: String, of interface: String) -> Bool? {
            guard string() == interface, enter("a", "{sv}") else { return nil }
            while enter("e", "sv") {
                if string() == name { return boolInVariant() }
                guard systemd.sd_bus_message_skip(message, "v") >= 0,
                    systemd.sd_bus_message_exit_container(message) >= 0
                else { break }
            }
            return nil
        }

        private func enter(_ type: Unicode.Scalar, _ content: String) -> Bool {
            systemd.sd_bus_message_enter_container(message, CChar(truncatingIfNeeded: type.value), content) > 0
        }

        /// A copy of a descriptor, which no child inherits and the caller closes.
        func descriptor() -> Int32? {
            var descriptor: Int32 = -1
            guard systemd.sd_bus_message_read_basic(message, CChar(UInt8(ascii: "h")), &descriptor) > 0 else {
                return nil
            }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            return copy < 0 ? nil : copy
        }
    }
#endif
