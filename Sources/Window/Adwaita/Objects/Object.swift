#if canImport(CAdwaita)
    import CAdwaita

    /// One reference to an object of GObject, given back with the wrapper.
    ///
    /// Every wrapper of the layer is one of these and holds nothing but the pointer, so that two wrappers of one object
    /// are as good as one. A handler that is connected to an object lives as long as the object: it must not hold a
    /// wrapper of it, nor one of a widget above it, or none of them is ever freed. Let the owner of the wrappers be
    /// captured weakly.
    @MainActor
    package class Object {
        package let pointer: OpaquePointer

        /// Takes what a constructor of the library has returned: the reference it came with, or the floating one.
        package init(new pointer: OpaquePointer?) {
            guard let pointer else { preconditionFailure("the library has made no object") }
            let raw = UnsafeMutableRawPointer(pointer)
            if g_object_is_floating(raw) != 0 { g_object_ref_sink(raw) }
            self.pointer = pointer
        }

        /// Adds a reference to an object that somebody else owns.
        package init(borrowed pointer: OpaquePointer) {
            g_object_ref(UnsafeMutableRawPointer(pointer))
            self.pointer = pointer
        }

        isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

        /// The same object as the library's own type, for calls that take one.
        package func typed<Instance>() -> UnsafeMutablePointer<Instance> { UnsafeMutablePointer(pointer) }

        /// The property of the name, for the few that have no function of their own.
        package func set(_ property: String, _ value: Value) {
            value.withGValue { g_object_set_property(typed(), property, $0) }
        }
    }

    extension UnsafeMutablePointer {
        /// The pointer as wrappers keep it.
        package var opaque: OpaquePointer { OpaquePointer(self) }
    }
#endif
