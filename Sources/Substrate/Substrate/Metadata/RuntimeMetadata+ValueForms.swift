import SCALE

extension RuntimeMetadata {
    /// What can be said of a type's values without seeing one.
    package enum ValueForm: Hashable, Sendable {
        /// Every value takes up no byte.
        case empty
        /// An option: one byte of zero where there is nothing.
        case optional
        /// An enum: a byte that tells which, and what it holds.
        case variants
        /// Anything else.
        case other
    }

    /// What a type's values look like; structs around a single part look like the part.
    package func valueForm(of type: UInt32) -> ValueForm {
        var shapes = TypeShapes(registry)
        return valueForm(of: type, &shapes, depth: 0)
    }

    private func valueForm(of type: UInt32, _ shapes: inout TypeShapes, depth: Int) -> ValueForm {
        guard depth < DecodingLimits.typeDepth, let entry = try? shapes.entry(type),
            let shape = try? shapes.shape(type, entry)
        else { return .other }
        let parts: [UInt32]
        switch shape {
        case .variant(_, let isOption): return isOption ? .optional : .variants
        case .composite(let fields): parts = fields.map { shapes.fields[$0].type }
        case .tuple(let elements): parts = elements.map { shapes.elements[$0] }
        case .array(length: 0, _, _): return .empty
        default: return .other
        }
        // A hostile registry may name one type many times: only a few parts are looked at.
        var form = ValueForm.empty
        for part in parts.prefix(Self.partLimit) {
            let next = valueForm(of: part, &shapes, depth: depth + 1)
            guard next != .empty else { continue }
            guard form == .empty else { return .other }
            form = next
        }
        return parts.count > Self.partLimit ? .other : form
    }

    /// Parts of a struct that are looked at.
    private static let partLimit = 8
}
