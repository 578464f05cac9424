/// Where in a value a coder is. Its text is made only when someone asks, and nothing is allocated for a scalar's path.
struct CodingPath: Sendable {
    private let outer: Outer?
    private let step: Step

    private enum Step: Sendable {
        case key(any CodingKey)
        case index(Int)
        case root
    }

    static let root = CodingPath(outer: nil, step: .root)

    private init(outer: Outer?, step: Step) {
        self.outer = outer
        self.step = step
    }

    /// The path of a container, which those of its members share.
    final class Outer: Sendable {
        let path: CodingPath

        init(_ path: CodingPath) { self.path = path }

        func key(_ key: any CodingKey) -> CodingPath { CodingPath(outer: self, step: .key(key)) }
        func index(_ index: Int) -> CodingPath { CodingPath(outer: self, step: .index(index)) }
    }

    var keys: [any CodingKey] {
        let keys = outer?.path.keys ?? []
        return switch step {
        case .root: keys
        case .key(let key): keys + [key]
        case .index(let index): keys + [IndexKey(index)]
        }
    }

    /// The path as `items[3].name`; empty for the value itself.
    var text: String { Self.text(keys) }

    static func text(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { text, key in
            if key is IndexKey {
                text += "[\(key.stringValue)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

/// The place of an element in an array.
struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { return nil }

    var intValue: Int? { index }
    var stringValue: String { String(index) }
}

/// The key that `superEncoder()` and `superDecoder()` use.
struct SuperKey: CodingKey {
    init() {}
    init?(intValue: Int) { return nil }
    init?(stringValue: String) { return nil }

    var intValue: Int? { nil }
    var stringValue: String { "super" }
}

/// A key that the type does not have.
struct UnknownKey: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }
}
