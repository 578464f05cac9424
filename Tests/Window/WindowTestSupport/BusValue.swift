#if canImport(CGIO)
    import CGIO

    /// What a message on a bus holds.
    indirect enum BusValue: Equatable {
        case text(String)
        case number(Int)
        case truth(Bool)
        /// Arrays, tuples and the like.
        case list([BusValue])
        case other(type: String)

        var text: String? { if case .text(let text) = self { text } else { nil } }
        var number: Int? { if case .number(let number) = self { number } else { nil } }
        var list: [BusValue] { if case .list(let list) = self { list } else { [] } }
        subscript(index: Int) -> BusValue {
            list.indices.contains(index) ? list[index] : .other(type: "")
        }

        init(_ variant: OpaquePointer) {
            let type = g_variant_get_type_string(variant).map { String(cString: $0) } ?? ""
            switch type {
            case "s", "o", "g":
                var length: gsize = 0
                self = .text(g_variant_get_string(variant, &length).map { String(cString: $0) } ?? "")
            case "b": self = .truth(g_variant_get_boolean(variant) != 0)
            case "y": self = .number(Int(g_variant_get_byte(variant)))
            case "i": self = .number(Int(g_variant_get_int32(variant)))
            case "u": self = .number(Int(g_variant_get_uint32(variant)))
            case _ where g_variant_is_container(variant) != 0:
                let values = (0..<g_variant_n_children(variant)).compactMap { index -> BusValue? in
                    guard let child = g_variant_get_child_value(variant, index) else { return nil }
                    defer { g_variant_unref(child) }
                    return BusValue(child)
                }
                // A variant is what it holds.
                self = type == "v" ? values.first ?? .other(type: type) : .list(values)
            default: self = .other(type: type)
            }
        }

        /// What is sent: texts, numbers of 32 bits and unsigned ones.
        enum Argument {
            case text(String)
            case number(Int32)
            case unsigned(UInt32)

            /// Floating: who puts it into a tuple has it.
            var variant: OpaquePointer? {
                switch self {
                case .text(let text): g_variant_new_string(text)
                case .number(let number): g_variant_new_int32(number)
                case .unsigned(let number): g_variant_new_uint32(number)
                }
            }
        }
    }
#endif
