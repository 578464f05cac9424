#if canImport(CAdwaita)
    import CAdwaita

    /// What a signal says: the arguments after its sender, as the library counts them, from 0.
    @MainActor
    package struct Signal {
        fileprivate let values: UnsafePointer<GValue>
        package let count: Int

        private func value(_ index: Int) -> UnsafePointer<GValue> {
            precondition(index >= 0 && index < count, "a signal has no argument \(index)")
            return values + index + 1
        }

        package func bool(_ index: Int) -> Bool { g_value_get_boolean(value(index)) != 0 }
        package func int(_ index: Int) -> Int { Int(g_value_get_int(value(index))) }
        package func unsigned(_ index: Int) -> UInt32 { g_value_get_uint(value(index)) }
        package func double(_ index: Int) -> Double { g_value_get_double(value(index)) }
        package func flags(_ index: Int) -> UInt32 { g_value_get_flags(value(index)) }
        package func object(_ index: Int) -> OpaquePointer? {
            g_value_get_object(value(index)).map { OpaquePointer($0) }
        }
    }

    /// A handler that is connected, by the number the object knows it by.
    package struct Connection: Hashable, Sendable {
        fileprivate let number: UInt
    }

    extension Object {
        /// Connects a handler that lives as long as the object or until it is disconnected.
        @discardableResult
        package func on(_ signal: String, _ run: @escaping @MainActor (Signal) -> Void) -> Connection {
            connect(signal, SignalHandler { signal, _ in run(signal) })
        }

        /// Connects a handler to a signal that asks whether it was dealt with.
        @discardableResult
        package func decide(_ signal: String, _ run: @escaping @MainActor (Signal) -> Bool) -> Connection {
            connect(signal, SignalHandler { g_value_set_boolean($1, run($0) ? 1 : 0) })
        }

        package func disconnect(_ connection: Connection) {
            g_signal_handler_disconnect(UnsafeMutableRawPointer(pointer), connection.number)
        }

        private func connect(_ signal: String, _ handler: SignalHandler) -> Connection {
            let box = Unmanaged.passRetained(handler).toOpaque()
            let closure = g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), box)
            g_closure_add_finalize_notifier(closure, box) { box, _ in
                box.map { Unmanaged<SignalHandler>.fromOpaque($0).release() }
            }
            g_closure_set_marshal(closure) { closure, answer, count, values, _, _ in
                guard let box = closure?.pointee.data, let values else { return }
                let handler = Unmanaged<SignalHandler>.fromOpaque(box).takeUnretainedValue()
                // The library calls handlers on its own thread alone, which is the main thread; what it lends is used
                // before the call returns.
                nonisolated(unsafe) let (lent, place) = (values, answer)
                MainActor.assumeIsolated { handler.run(Signal(values: lent, count: Int(count) - 1), place) }
            }
            let number = g_signal_connect_closure(UnsafeMutableRawPointer(pointer), signal, closure, 0)
            precondition(number != 0, "no signal is called \(signal)")
            return Connection(number: number)
        }
    }

    /// What the library keeps of a handler, freed when it lets go of the closure.
    private final class SignalHandler: Sendable {
        let run: @MainActor (Signal, UnsafeMutablePointer<GValue>?) -> Void

        init(_ run: @escaping @MainActor (Signal, UnsafeMutablePointer<GValue>?) -> Void) { self.run = run }
    }

    /// A closure that the library keeps by a pointer, for calls that take one with what frees it.
    final class Callback<Function: Sendable>: Sendable {
        let run: Function

        private init(_ run: Function) { self.run = run }

        /// The pointer to hand over, with one reference that ``free`` gives back.
        static func retained(_ run: Function) -> UnsafeMutableRawPointer {
            Unmanaged.passRetained(Callback(run)).toOpaque()
        }

        static func from(_ data: UnsafeMutableRawPointer?) -> Callback? {
            data.map { Unmanaged<Callback>.fromOpaque($0).takeUnretainedValue() }
        }

        static func free(_ data: UnsafeMutableRawPointer?) {
            data.map { Unmanaged<Callback>.fromOpaque($0).release() }
        }
    }
#endif
