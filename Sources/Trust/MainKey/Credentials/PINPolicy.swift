import SecretMemory

/// What a PIN has to keep when it is set. Unlocking never asks: a rule that came later shuts nobody out.
///
///     try PINPolicy.standard.check(pin)
///
/// Source: `mainkey` section 11, after the rules for activation secrets of NIST SP 800-63B-4.
public struct PINPolicy: Equatable, Sendable {
    package static let byteCounts = 6...128

    private static let printable: ClosedRange<UInt8> = 0x20...0x7e
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let leastDistinct = 3

    /// Whether every byte must be a printable one of ASCII.
    private let isASCIIOnly: Bool
    private var isChecked = true

    private init(isASCIIOnly: Bool, isChecked: Bool = true) {
        self.isASCIIOnly = isASCIIOnly
        self.isChecked = isChecked
    }

    /// The usual policy: letters, digits and signs of ASCII.
    public static let standard = PINPolicy(isASCIIOnly: true)
    /// Any bytes. The caller hands over text in Unicode's form NFC, or one PIN has several spellings.
    public static let utf8 = PINPolicy(isASCIIOnly: false)

    /// Takes any PIN: for one that a vault of another kind had, which is to go on opening it.
    package static let inherited = PINPolicy(isASCIIOnly: false, isChecked: false)

    /// - Throws: ``MainKeyError/weakPIN(_:)`` with the first rule that is broken.
    public func check(_ pin: SecretBytes) throws(MainKeyError) {
        if let weakness = weakness(of: pin) { throw .weakPIN(weakness) }
    }

    /// - Returns: the first rule that is broken, in the order of ``PINWeakness``.
    package func weakness(of pin: SecretBytes) -> PINWeakness? {
        guard isChecked else { return nil }
        return pin.withUnsafeBytes { pin in
            if pin.count < Self.byteCounts.lowerBound { return .tooShort }
            if pin.count > Self.byteCounts.upperBound { return .tooLong }
            if isASCIIOnly && !pin.allSatisfy(Self.printable.contains) { return .badByte }
            if pin.allSatisfy({ $0 == pin[0] }) { return .allEqual }
            if Self.isSequence(pin) { return .sequence }
            if Self.repeats(pin, every: 2) || Self.repeats(pin, every: 3) { return .repeated }
            if !Self.hasEnoughDistinct(pin) { return .tooFewDistinct }
            if PINBlockList.contains(pin) { return .blocklisted }
            return nil
        }
    }

    /// Whether each byte is the one before plus 1, or each minus 1. Among digits 0 comes behind 9.
    private static func isSequence(_ pin: UnsafeRawBufferPointer) -> Bool {
        let isNumber = pin.allSatisfy(digits.contains)
        return [1, -1].contains { step in
            zip(pin, pin.dropFirst()).allSatisfy { before, after in
                let difference = Int(after) - Int(before) - step
                return difference == 0 || isNumber && difference % 10 == 0
            }
        }
    }

    private static func repeats(_ pin: UnsafeRawBufferPointer, every period: Int) -> Bool {
        pin.count >= 2 * period && zip(pin, pin.dropFirst(period)).allSatisfy { $0 == $1 }
    }

    private static func hasEnoughDistinct(_ pin: UnsafeRawBufferPointer) -> Bool {
        pin.indices.count { index in !pin[..<index].contains(pin[index]) } >= leastDistinct
    }
}
