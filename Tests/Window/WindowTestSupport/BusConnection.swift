#if canImport(CGIO)
    import CGIO

    /// What does not go as a test expects, in words.
    package struct WindowFailure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// A connection to a message bus.
    // @unchecked: GDBusConnection is made for several threads.
    final class BusConnection: @unchecked Sendable {
        private let connection: OpaquePointer

        private static let patience: gint = 600_000

        init(address: String) throws {
            var error: UnsafeMutablePointer<GError>?
            let flags = GDBusConnectionFlags(
                rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
                throw WindowFailure("no bus at \(address): \(Self.take(error))")
            }
            g_dbus_connection_set_exit_on_close(made, 0)
            connection = made
        }

        deinit {
            g_dbus_connection_close_sync(connection, nil, nil)
            g_object_unref(UnsafeMutableRawPointer(connection))
        }

        /// A method to be called.
        struct Call {
            var name, path, method, interface: String
            var arguments: [BusValue.Argument] = []
        }

        /// Calls a method and waits for its reply.
        func call(
            _ name: String, path: String, method: String, of interface: String, _ arguments: [BusValue.Argument] = []
        ) throws -> BusValue {
            let call = Call(name: name, path: path, method: method, interface: interface, arguments: arguments)
            return try replies(to: [call])[0].get()
        }

        /// Calls methods, all before the first reply, and waits for the replies: each that is waited for by itself
        /// wakes the bus and the other program anew.
        func replies(to calls: [Call]) -> [Result<BusValue, WindowFailure>] {
            // Where the replies come to.
            let context = g_main_context_new()
            g_main_context_push_thread_default(context)
            defer {
                g_main_context_pop_thread_default(context)
                g_main_context_unref(context)
            }
            let pending = calls.map { Pending($0) }
            for pending in pending { send(pending) }
            for pending in pending { while pending.reply == nil { g_main_context_iteration(context, 1) } }
            return pending.map { $0.reply ?? .failure(WindowFailure("no reply")) }
        }

        /// A call that was sent, until its reply is there.
        private final class Pending {
            let call: Call
            var reply: Result<BusValue, WindowFailure>?

            init(_ call: Call) { self.call = call }
        }

        private func send(_ pending: Pending) {
            let call = pending.call
            let variants = call.arguments.map(\.variant)
            g_dbus_connection_call(
                connection, call.name, call.path, call.interface, call.method,
                g_variant_new_tuple(variants, gsize(variants.count)), nil, G_DBUS_CALL_FLAGS_NONE, Self.patience, nil,
                { source, result, data in
                    guard let data else { return }
                    let pending = Unmanaged<Pending>.fromOpaque(data).takeRetainedValue()
                    var error: UnsafeMutablePointer<GError>?
                    guard let reply = g_dbus_connection_call_finish(OpaquePointer(source), result, &error) else {
                        let (call, reason) = (pending.call, BusConnection.take(error))
                        pending.reply = .failure(
                            WindowFailure("\(call.interface).\(call.method) of \(call.path): \(reason)"))
                        return
                    }
                    defer { g_variant_unref(reply) }
                    pending.reply = .success(BusValue(reply))
                }, Unmanaged.passRetained(pending).toOpaque())
        }

        private static func take(_ error: UnsafeMutablePointer<GError>?) -> String {
            guard let error else { return "no reason" }
            defer { g_error_free(error) }
            return String(cString: error.pointee.message)
        }
    }
#endif
