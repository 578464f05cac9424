/// The two bytes that select a call.
struct CallIndex: Hashable {
    let pallet: UInt8
    let method: UInt8
}

/// A call with the forms of its arguments.
struct CallShape {
    let pallet: String
    let name: String
    let docs: Documentation
    let arguments: [Argument]

    struct Argument {
        let name: String
        let content: Content
    }

    enum Content {
        case call
        case calls
        /// - Parameter type: a number of ``TextTypes``.
        case value(Int)
    }
}

/// A value that is to be read.
struct TextVisit {
    /// A number of ``TextTypes``.
    let type: Int
    let indent: Int
    /// Types that enclose the value in its argument, itself counted; other names of a type count as types.
    let depth: Int

    /// A value at the same indent, one type further in.
    func inside(_ type: Int) -> TextVisit {
        TextVisit(type: type, indent: indent, depth: depth + 1)
    }
}

/// The part of an enclosing call or value that is still to be read.
struct TextFrame {
    var rest: Rest
    let indent: Int
    /// Types that enclose the contents.
    let depth: Int

    enum Rest {
        /// - Parameter of: the call's position among the walk's calls.
        case arguments(ArraySlice<CallShape.Argument>, of: Int)
        case calls(left: Int)
        /// - Parameter start: where the item before began, -1 before the first.
        case items(type: Int, left: Int, start: Int)
        case elements([Int], next: Int)
        case fields([TextShape.Field], next: Int)
    }
}
