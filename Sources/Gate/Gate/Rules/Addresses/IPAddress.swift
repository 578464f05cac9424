/// An address of IPv4 or IPv6. IPv4 and its mapped form in IPv6 are one address.
struct IPAddress: Hashable, Sendable {
    /// The first eight bytes of the IPv6 form.
    let high: UInt64
    /// The last eight bytes of the IPv6 form.
    let low: UInt64

    private static let mappedPrefix: UInt64 = 0xffff_0000_0000

    var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }
}

extension IPAddress {
    /// The longest text of an address: eight groups, the last two of them in dotted form.
    private static let maximumCharacters = 45

    /// - Parameter v4: the first byte of the address is the highest.
    init(v4: UInt32) { self.init(high: 0, low: Self.mappedPrefix | UInt64(v4)) }

    /// Reads a dotted IPv4 address without leading zeros, or an IPv6 address of RFC 4291, section 2.2, without a zone.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumCharacters else { return nil }
        let bytes = Array(text.utf8)
        if bytes.contains(UInt8(ascii: ":")) {
            guard let groups = Self.groups(bytes[...]) else { return nil }
            self.init(high: Self.join(groups[..<4]), low: Self.join(groups[4...]))
        } else {
            guard let v4 = Self.dotted(bytes[...]) else { return nil }
            self.init(v4: v4)
        }
    }

    private static func join(_ groups: ArraySlice<UInt16>) -> UInt64 { groups.reduce(0) { $0 << 16 | UInt64($1) } }

    private static func dotted(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(ASCIIText.isDigit),
                part.count == 1 || part.first != UInt8(ascii: "0")
            else { return nil }
            let value = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
            guard value <= 255 else { return nil }
            address = address << 8 | value
        }
        return address
    }

    /// Reads the eight groups of an IPv6 address.
    private static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        let colon = UInt8(ascii: ":")
        guard let gap = text.firstRange(of: [colon, colon]) else {
            guard let groups = run(text), groups.count == 8 else { return nil }
            return groups
        }
        let before = text[..<gap.lowerBound]
        let behind = text[gap.upperBound...]
        guard !before.contains(UInt8(ascii: ".")), let left = before.isEmpty ? [] : run(before),
            let right = behind.isEmpty ? [] : run(behind), left.count + right.count <= 7
        else { return nil }
        return left + Array(repeating: 0, count: 8 - left.count - right.count) + right
    }

    /// Reads groups between single colons; the last may be a dotted IPv4 address.
    private static func run(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        var groups: [UInt16] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let v4 = dotted(part) else { return nil }
                groups += [UInt16(v4 >> 16), UInt16(truncatingIfNeeded: v4)]
            } else {
                guard (1...4).contains(part.count), part.allSatisfy({ $0 != UInt8(ascii: "+") }),
                    let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups.count <= 8 ? groups : nil
    }
}

extension IPAddress: CustomStringConvertible {
    /// The text of RFC 5952; IPv4 in its dotted form.
    var description: String {
        guard !isIPv4 else {
            let byte = { (index: UInt64) in UInt8(truncatingIfNeeded: low >> (24 - 8 * index)) }
            return "\(byte(0)).\(byte(1)).\(byte(2)).\(byte(3))"
        }
        let groups = [high, low].flatMap { half in
            (0..<4).map { UInt16(truncatingIfNeeded: half >> (48 - 16 * UInt64($0))) }
        }
        let gap = Self.longestZeros(groups)
        let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        return gap.count < 2
            ? text(groups[...]) : text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
    }

    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest
    }
}

extension ClientKey {
    /// All of an IPv4 address, the first 64 bits of an IPv6 address: whoever holds one of the latter holds its network.
    init(_ address: IPAddress) {
        self.init(high: address.high, low: address.isIPv4 ? address.low : 0)
    }
}
