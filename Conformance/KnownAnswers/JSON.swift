import StrictJSON
import TextForms

/// A value of known answers. Look-ups that fail give `null`, so that a wrong name fails in the expectation that uses
/// it; and of a value from a file it is remembered what was looked at (``Place``), so that nothing in a file is passed
/// over.
///
/// Both are what a check needs and a reader of a protocol must not have, so they are laid over the value of StrictJSON.
package struct JSON: Sendable {
    let content: StrictJSON.JSON
    /// Where it was read; nil for a value that was made here.
    let place: Place?

    init(_ content: StrictJSON.JSON, at place: Place? = nil) {
        self.content = content
        self.place = place
    }

    /// - Throws: ``JSONError``, also for a name twice in one object.
    package init(parsing text: [UInt8]) throws {
        let reader = JSONReader(maximumDepth: 64, maximumBytes: 1 << 28)
        content = try reader.read(text).normalised
        place = nil
    }

    package var text: String { whole.text() }
    package var isNull: Bool { content == .null }
    // Not inlined: the optimiser of Swift 6.3.1 stops with an "ownership error" in some of the functions that use them.
    @inline(never) package var string: String? { content.string }
    @inline(never) package var bool: Bool? { content.bool }
    @inline(never) package var int: Int? { content.integer }
    /// A number, also where it was written without a fraction.
    @inline(never) package var double: Double? { if case .number(let digits) = content { Double(digits) } else { nil } }

    /// The bytes of a string of hex digits, with or without `0x`.
    package var hex: [UInt8]? { string.flatMap { Hex.decode($0) } }

    /// The bytes of a string in base64.
    package var base64: [UInt8]? { string.flatMap { Base64.decode($0) } }

    package subscript(key: String) -> JSON { part(.member(key), content[key]) }

    package subscript(index: Int) -> JSON {
        let elements = content.array ?? []
        return part(.element(index), elements.indices.contains(index) ? elements[index] : nil)
    }

    /// The elements; none if it is null. For another kind of value, which no check of a list looks at, its file fails.
    package var array: [JSON] {
        guard let elements = content.array else {
            if !isNull { place?.complain("this is no list") }
            return []
        }
        return elements.map { part(.anyElement, $0) }
    }

    /// The members by their names; what is looked at in one of them counts for all.
    package var object: [String: JSON] {
        guard let members = content.object else {
            if !isNull { place?.complain("this is no object") }
            return [:]
        }
        return Dictionary(members.map { ($0.name, part(.anyMember, $0.value)) }) { first, _ in first }
    }

    private func part(_ part: Place.Part, _ content: StrictJSON.JSON?) -> JSON {
        JSON(content ?? .null, at: place?.part(part))
    }
}

// MARK: Lists

extension JSON {
    package var isList: Bool { content.array != nil }
    package var isObject: Bool { content.object != nil }

    /// The elements of a list that must be there: where it is missing or empty, its file fails.
    package var rows: [JSON] {
        if content.array?.isEmpty ?? isNull { place?.complain("the list is missing or empty") }
        return array
    }

    /// The elements of a list of texts. With an element of another kind its file fails.
    package var strings: [String] { elements("text") { $0.string } }
    package var ints: [Int] { elements("integer") { $0.int } }
    package var hexes: [[UInt8]] { elements("hex") { $0.hex } }

    private func elements<Element>(_ kind: String, _ read: (JSON) -> Element?) -> [Element] {
        array.compactMap { element in
            let value = read(element)
            if value == nil { place?.complain("an element of this list is no \(kind)") }
            return value
        }
    }
}

// MARK: Accounts

extension JSON {
    /// Everything in it; all of that counts as looked at.
    package var whole: StrictJSON.JSON {
        place?.take()
        return content
    }

    /// Counts members by their paths (`expect.flags`, `steps[].time`), each a scalar or a list of scalars, as known and
    /// not compared. Who says so says why.
    package func leave(_ paths: String...) {
        for path in paths {
            path.split(separator: ".").reduce(place) { place, name in
                guard name.hasSuffix("[]") else { return place?.part(.member(String(name))) }
                return place?.part(.member(String(name.dropLast(2)))).part(.anyElement)
            }?.leave()
        }
    }

    /// Whether this is an object with all of `keys`, or a list whose first member is one. It says what something is,
    /// and counts for no look at it.
    package func has(_ keys: String...) -> Bool {
        let object = content.array.map { $0.first ?? .null } ?? content
        return keys.allSatisfy { object[$0] != nil }
    }

    /// The same value, of which nobody remembers what was looked at: to find out what it is.
    var unwatched: JSON { JSON(content) }
}

// MARK: Making and comparing

extension JSON {
    package static let null = JSON(.null)
    package static func bool(_ value: Bool) -> JSON { JSON(.bool(value)) }
    package static func integer(_ value: Int64) -> JSON { JSON(.integer(value)) }
    package static func string(_ value: String) -> JSON { JSON(.string(value)) }
    package static func array(_ elements: [JSON]) -> JSON { JSON(.array(elements.map(\.whole))) }
    package static func object(_ members: [String: JSON]) -> JSON {
        JSON(StrictJSON.JSON.object(members.map { .init(name: $0.key, value: $0.value.whole) }).normalised)
    }
}

extension JSON: Equatable {
    /// What is compared with anything but null counts as looked at.
    package static func == (left: JSON, right: JSON) -> Bool {
        left.isNull || right.isNull ? left.content == right.content : left.whole == right.whole
    }
}

extension JSON: CustomStringConvertible {
    package var description: String { content.text() }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}

extension StrictJSON.JSON {
    /// With members in the order of their names, so that two objects are equal in any order.
    fileprivate var normalised: Self {
        switch self {
        case .array(let elements): .array(elements.map(\.normalised))
        case .object(let members):
            .object(members.map { .init(name: $0.name, value: $0.value.normalised) }.sorted { $0.name < $1.name })
        default: self
        }
    }
}
