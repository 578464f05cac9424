/// Reads one JSON text (RFC 8259) from bytes of an outsider.
///
/// Refuses what the grammar refuses, and beyond it: a name twice in one object, half a surrogate pair, nesting beyond
/// ``maximumDepth``, and more bytes and values than ``maximumBytes`` and ``maximumValues``.
public struct JSONReader: Sendable {
    /// How many arrays and objects may stand within each other.
    public let maximumDepth: Int
    /// How many bytes the text may have.
    public let maximumBytes: Int
    /// Counted with arrays and objects. It bounds the memory of the tree.
    public let maximumValues: Int

    /// - Parameters:
    ///   - maximumDepth: 0 takes no array and no object. At most 512, whatever is asked: each level takes room on the
    ///     stack.
    ///   - maximumBytes: of the whole text.
    public init(maximumDepth: Int = 16, maximumBytes: Int = 65_536, maximumValues: Int = .max) {
        self.maximumDepth = min(maximumDepth, 512)
        self.maximumBytes = maximumBytes
        self.maximumValues = maximumValues
    }

    /// Reads one value, which all of the bytes have to belong to.
    public func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in try read(UnsafeRawBufferPointer(buffer)) }
    }

    /// - Parameter bytes: only read during the call.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSON {
        guard bytes.count <= maximumBytes else { throw JSONError(offset: maximumBytes, reason: .tooLarge) }
        var parser = JSONParser(bytes: bytes, remainingValues: maximumValues)
        let value = try parser.value(depth: maximumDepth)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error(.trailingBytes) }
        return value
    }
}

/// Descends into the text, front to back. Each call returns behind what it read.
struct JSONParser {
    let bytes: UnsafeRawBufferPointer
    /// How many values may still come.
    var remainingValues: Int
    var position = 0

    func error(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? position, reason: reason)
    }

    /// The byte here, which must be there.
    func current() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[position]
    }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0a, 0x0d, 0x09: position += 1
            default: return
            }
        }
    }

    /// - Parameter depth: how many arrays and objects may still be opened.
    mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard remainingValues > 0 else { throw error(.tooMany) }
        remainingValues -= 1
        switch try current() {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard try current() == word.utf8Start[index] else { throw error(.unexpectedByte) }
            position += 1
        }
        return value
    }

    // MARK: Arrays and objects

    private mutating func elements(depth: Int) throws(JSONError) -> [JSON] {
        try open(depth)
        var elements: [JSON] = []
        if try closes(UInt8(ascii: "]")) { return elements }
        repeat { elements.append(try value(depth: depth - 1)) } while try continues(until: UInt8(ascii: "]"))
        return elements
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSON.Member] {
        try open(depth)
        var members: [JSON.Member] = []
        if try closes(UInt8(ascii: "}")) { return members }
        // A few names are compared with each other; many are hashed, so that the work stays linear.
        var names: Set<String> = []
        repeat {
            skipSpace()
            let start = position
            guard try current() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try string()
            if members.count == 8 { names = Set(members.map(\.name)) }
            let isRepeated =
                members.count < 8 ? members.contains { $0.name == name } : !names.insert(name).inserted
            guard !isRepeated else { throw error(.duplicateMember, at: start) }
            skipSpace()
            guard try current() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
            position += 1
            members.append(.init(name: name, value: try value(depth: depth - 1)))
        } while try continues(until: UInt8(ascii: "}"))
        return members
    }

    private mutating func open(_ depth: Int) throws(JSONError) {
        guard depth > 0 else { throw error(.tooDeep) }
        position += 1
    }

    /// Whether it ends before the first member.
    private mutating func closes(_ end: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard try current() == end else { return false }
        position += 1
        return true
    }

    /// Takes the comma or the end behind a member.
    private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        let byte = try current()
        guard byte == end || byte == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
        position += 1
        return byte != end
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> String {
        let start = position
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits(from: start) }
        if skip(UInt8(ascii: ".")) { try digits(from: start) }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try digits(from: start)
        }
        if position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] {
            throw error(.malformedNumber, at: start)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    @discardableResult private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// One digit or more.
    private mutating func digits(from start: Int) throws(JSONError) {
        let first = position
        while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
        guard position > first else { throw error(.malformedNumber, at: start) }
    }
}
