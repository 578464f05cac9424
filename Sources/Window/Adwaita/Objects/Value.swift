#if canImport(CAdwaita)
    import CAdwaita

    /// What properties and signals are made of.
    package enum Value {
        case bool(Bool)
        case int(Int)
        case double(Double)
        case string(String)
        case object(Object?)

        /// The types that every program with GObject knows, which C has as macros.
        enum Fundamental {
            static let boolean = GType(5 << 2)
            static let int = GType(6 << 2)
            static let unsigned = GType(7 << 2)
            static let double = GType(15 << 2)
            static let string = GType(16 << 2)
            static let object = GType(20 << 2)
        }

        /// Lends the value as the library takes it.
        @MainActor
        func withGValue<Answer>(_ body: (UnsafePointer<GValue>) -> Answer) -> Answer {
            var value = GValue()
            switch self {
            case .bool(let yes):
                g_value_init(&value, Fundamental.boolean)
                g_value_set_boolean(&value, yes ? 1 : 0)
            case .int(let number):
                g_value_init(&value, Fundamental.int)
                g_value_set_int(&value, Int32(clamping: number))
            case .double(let number):
                g_value_init(&value, Fundamental.double)
                g_value_set_double(&value, number)
            case .string(let text):
                g_value_init(&value, Fundamental.string)
                g_value_set_string(&value, text)
            case .object(let object):
                g_value_init(&value, Fundamental.object)
                withExtendedLifetime(object) { g_value_set_object(&value, object.map { .init($0.pointer) }) }
            }
            defer { g_value_unset(&value) }
            return body(&value)
        }
    }
#endif
