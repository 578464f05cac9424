/// An amount of the native token in the largest thousand's step below it, all digits kept (`signer-wire` section 6.5).
public struct Amount: Hashable, Sendable {
    /// Digits with a point where one is due: `100.000000`.
    public var number: String
    /// The step's prefix and the token's symbol: `uWND`.
    public var units: String
    /// The value's halves, so that the alignment of 128 bits does not widen every card.
    private let halves: (low: UInt64, high: UInt64)

    /// The amount in the smallest unit.
    public var value: UInt128 { UInt128(halves.high) << 64 | UInt128(halves.low) }

    /// - Parameters:
    ///   - value: in the smallest unit.
    ///   - decimals: decimal places of the token.
    ///   - unit: symbol of the token.
    public init(_ value: UInt128, decimals: UInt8, unit: String) {
        halves = (UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64))
        let digits = DecimalDigits(value)
        let decimals = Int(decimals)
        let step = value == 0 ? -(decimals / 3) : Self.floorDivision(digits.count - 1 - decimals, by: 3)
        let exponent = min(max(3 * step, -18), 12)
        number = Self.place(digits, pointBefore: decimals + exponent)
        units = Self.prefixes[(exponent + 18) / 3] + unit
    }

    private static let prefixes = ["a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T"]

    private static func floorDivision(_ value: Int, by divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }

    /// `digits` with a point before the last `places` of them; negative places are zeros at the end.
    private static func place(_ digits: DecimalDigits, pointBefore places: Int) -> String {
        if places <= 0 {
            return digits.isZero ? "0" : digits.text + String(repeating: "0", count: -places)
        }
        let missing = max(0, places + 1 - digits.count)
        return String(unsafeUninitializedCapacity: digits.count + missing + 1) { buffer in
            let whole = digits.count + missing - places
            var index = 0
            for position in 0..<digits.count + missing {
                if position == whole {
                    buffer[index] = UInt8(ascii: ".")
                    index += 1
                }
                buffer[index] = position < missing ? UInt8(ascii: "0") : digits[position - missing]
                index += 1
            }
            return index
        }
    }

    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.number == right.number && left.units == right.units
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(units)
    }
}

extension Amount: CustomStringConvertible {
    /// The value as text.
    public var description: String { "\(number) \(units)" }
}

/// The decimal digits of a number, without allocation: at most 39.
struct DecimalDigits {
    private var storage: (UInt128, UInt128, UInt64) = (0, 0, 0)
    private(set) var count = 0

    init(_ value: UInt128) {
        var low = UInt64(truncatingIfNeeded: value)
        var rest = value
        withUnsafeMutableBytes(of: &storage) { buffer in
            var end = buffer.count
            while rest >> 64 != 0 {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                end -= 1
                buffer[end] = UInt8(digit) + 0x30
                rest = quotient
            }
            low = UInt64(truncatingIfNeeded: rest)
            repeat {
                end -= 1
                buffer[end] = UInt8(low % 10) + 0x30
                low /= 10
            } while low != 0
            count = buffer.count - end
        }
    }

    var isZero: Bool { count == 1 && self[0] == 0x30 }

    /// The ASCII digit at `index`, most significant first. The buffer is 40 bytes, filled from its end.
    subscript(index: Int) -> UInt8 {
        withUnsafeBytes(of: storage) { $0[$0.count - count + index] }
    }

    var text: String {
        withUnsafeBytes(of: storage) { String(decoding: $0.suffix(count), as: UTF8.self) }
    }
}
