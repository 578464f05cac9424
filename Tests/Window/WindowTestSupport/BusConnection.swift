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

        /// Calls a method and waits for its reply.
        func call(
            _ name: String, path: String, method: String, of interface: String, _ arguments: [BusValue.Argument] = []
        ) throws -> BusValue {
            let variants = arguments.map(\.variant)
            let tuple = g_variant_new_tuple(variants, gsize(variants.count))
            var error: UnsafeMutablePointer<GError>?
            guard
                let reply = g_dbus_connection_call_sync(
                    connection, name, path, interface, method, tuple, nil, G_DBUS_CALL_FLAGS_NONE, Self.patience, nil,
                    &error)
            else { throw WindowFailure("\(interface).\(method) of \(path): \(Self.take(error))") }
            defer { g_variant_unref(reply) }
            return BusValue(reply)
        }

        private static func take(_ error: UnsafeMutablePointer<GError>?) -> String {
            guard let error else { return "no reason" }
            defer { g_error_free(error) }
            return String(cString: error.pointee.message)
        }
    }
#endif
