/// Reads elements one after another, each a slice of the bytes; nothing is allocated or copied.
///
/// It stands beside SwiftASN1, which reads certificates, because receipts are BER from outside: the bounds on depth and
/// on lengths are the specification's.
///
/// Source: X.690; `appattest-gate` section 2.5, step R1.
struct BERReader {
    /// How many elements may lie within each other.
    static let depthLimit = 16
    /// How many bytes of a length may follow the first.
    private static let lengthByteLimit = 4
    /// How many bytes a tag's number may have: it fits 28 bits.
    private static let tagByteLimit = 4

    private let bytes: ArraySlice<UInt8>
    private let rules: BERRules
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>, rules: BERRules) {
        self.bytes = bytes
        self.rules = rules
        position = bytes.startIndex
    }

    /// The one element that takes up all of `bytes`; every element within it is well-formed, to the depth that is
    /// allowed.
    static func single(_ bytes: ArraySlice<UInt8>, rules: BERRules) throws(BERError) -> BERElement {
        var reader = BERReader(bytes, rules: rules)
        try reader.skip(depth: 1)
        guard reader.isAtEnd else { throw reader.error("bytes are left over behind the element") }
        reader.position = bytes.startIndex
        return try reader.required()
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// The next element, or nil at the end.
    mutating func next() throws(BERError) -> BERElement? {
        if isAtEnd { return nil }
        let start = position
        let tag = try tag()
        if let count = try length(of: tag) {
            let contentStart = position
            position += count
            return BERElement(tag: tag, content: bytes[contentStart..<position], encoded: bytes[start..<position])
        }
        let contentStart = position
        try skipToMark(depth: 2)
        return BERElement(tag: tag, content: bytes[contentStart..<(position - 2)], encoded: bytes[start..<position])
    }

    /// The next element, which must be there.
    mutating func required() throws(BERError) -> BERElement {
        guard let element = try next() else { throw error("an element is missing") }
        return element
    }

    /// The next element, which must have this tag.
    mutating func required(_ tag: BERTag) throws(BERError) -> BERElement {
        let start = position
        let element = try required()
        guard element.tag == tag else {
            position = start
            throw error("another element was expected")
        }
        return element
    }

    /// The next element if it has this tag.
    mutating func optional(_ tag: BERTag) throws(BERError) -> BERElement? {
        let start = position
        guard let element = try next(), element.tag == tag else {
            position = start
            return nil
        }
        return element
    }

    /// - Throws: unless all was read.
    func end() throws(BERError) {
        guard isAtEnd else { throw error("an element too many") }
    }

    private func error(_ reason: String) -> BERError { BERError(offset: position - bytes.startIndex, reason: reason) }

    private mutating func byte() throws(BERError) -> UInt8 {
        guard position < bytes.endIndex else { throw error("the bytes end inside an element") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func tag() throws(BERError) -> BERTag {
        let first = try byte()
        var number = UInt32(first & 31)
        if number == 31 { number = try longTagNumber() }
        // Two bits have a case each.
        let tagClass = BERTag.Class(rawValue: first >> 6) ?? .universal
        guard tagClass != .universal || number != 0 else { throw error("a mark of the end stands where none belongs") }
        return BERTag(tagClass: tagClass, isConstructed: first & 0x20 != 0, number: number)
    }

    /// Base 128, most significant group first, bit 7 of a byte saying that another follows.
    private mutating func longTagNumber() throws(BERError) -> UInt32 {
        var number: UInt32 = 0
        for index in 0..<Self.tagByteLimit {
            let byte = try byte()
            guard index > 0 || byte != 0x80 else { throw error("the number of a tag has leading zeros") }
            number = number << 7 | UInt32(byte & 0x7f)
            guard byte & 0x80 != 0 else {
                guard number > 30 else { throw error("the number of a tag has a shorter form") }
                return number
            }
        }
        throw error("the number of a tag is too large")
    }

    /// The length of the content, which is there; nil for an indefinite one.
    private mutating func length(of tag: BERTag) throws(BERError) -> Int? {
        let first = try byte()
        var count = Int(first)
        if first == 0x80 {
            guard rules == .basic, tag.isConstructed else { throw error("an indefinite length is not allowed here") }
            return nil
        }
        if first > 0x80 {
            let byteCount = Int(first & 0x7f)
            guard byteCount <= Self.lengthByteLimit else { throw error("a length has more than four bytes") }
            count = 0
            for _ in 0..<byteCount { count = count << 8 | Int(try byte()) }
            let isShortest = count >= 0x80 && count >> ((byteCount - 1) * 8) != 0
            guard rules == .basic || isShortest else { throw error("a length has a shorter form") }
        }
        guard count <= bytes.endIndex - position else { throw error("an element is longer than the bytes left") }
        return count
    }

    /// Goes behind the next element and looks at every element within it.
    private mutating func skip(depth: Int) throws(BERError) {
        guard depth <= Self.depthLimit else { throw error("too many elements within each other") }
        let tag = try tag()
        guard let count = try length(of: tag) else { return try skipToMark(depth: depth + 1) }
        if tag.isConstructed {
            var within = BERReader(bytes[position..<(position + count)], rules: rules)
            while !within.isAtEnd { try within.skip(depth: depth + 1) }
        }
        position += count
    }

    /// Goes behind the mark that ends an indefinite length.
    private mutating func skipToMark(depth: Int) throws(BERError) {
        while true {
            guard bytes.endIndex - position >= 2 else { throw error("the end of an indefinite length is missing") }
            if bytes[position] == 0, bytes[position + 1] == 0 {
                position += 2
                return
            }
            try skip(depth: depth)
        }
    }
}
