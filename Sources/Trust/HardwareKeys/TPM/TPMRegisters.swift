import Cryptography

/// Registers of a TPM (PCRs, SHA-256 bank) that only a start of the machine puts back: 0 to 15.
///
/// Of the others everybody may reset some (16 and 23), and the rest belong to launches that this house does not make.
///
/// Source: `mainkey` section 17; PC Client Platform TPM Profile, "PCR Requirements".
public struct TPMRegisterSelection: Hashable, Sendable {
    /// The numbers of registers that can be chosen.
    public static let allowed = 0...15

    /// The registers as bits: bit n is register n.
    let bitmap: UInt16

    /// No register.
    public static let none = TPMRegisterSelection(bitmap: 0)

    init(bitmap: UInt16) {
        self.bitmap = bitmap
    }

    /// - Returns: nil for a number that is not ``allowed``.
    public init?(_ numbers: some Sequence<Int>) {
        var bitmap: UInt16 = 0
        for number in numbers {
            guard Self.allowed.contains(number) else { return nil }
            bitmap |= 1 << number
        }
        self.bitmap = bitmap
    }

    /// Whether no register is chosen.
    public var isEmpty: Bool { bitmap == 0 }

    /// The numbers of the registers, ascending.
    public var numbers: [Int] { Self.allowed.filter { bitmap >> $0 & 1 == 1 } }

    /// The selection as a marshalled `TPML_PCR_SELECTION` of the SHA-256 bank.
    var marshalled: [UInt8] {
        [0, 0, 0, 1, 0x00, 0x0b, 3, UInt8(truncatingIfNeeded: bitmap), UInt8(truncatingIfNeeded: bitmap >> 8), 0]
    }
}

extension TPMRegisterSelection: LosslessStringConvertible {
    /// - Parameter description: numbers with commas between, one at least: `0,7`.
    /// - Returns: nil for anything else, a number that stands twice included.
    public init?(_ description: String) {
        let numbers = description.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard let selection = TPMRegisterSelection(numbers.compactMap { $0 }), selection.numbers.count == numbers.count
        else { return nil }
        self = selection
    }

    /// The registers as commands take them: `0,7`.
    public var description: String { numbers.map(String.init).joined(separator: ",") }
}

/// What registers have to hold for a secret to be released.
public struct TPMRegisterState: Hashable, Sendable {
    /// The registers, one at least.
    public let selection: TPMRegisterSelection
    /// The SHA-256 of their values, one behind the other, by ascending number.
    let digest: [UInt8]

    static let digestByteCount = 32

    /// - Parameter values: 32 bytes each, in the order of the selection's numbers.
    init(_ selection: TPMRegisterSelection, values: [[UInt8]]) {
        self.init(selection, digest: SHA256Hash.of(values.flatMap { $0 }))
    }

    init(_ selection: TPMRegisterSelection, digest: [UInt8]) {
        self.selection = selection
        self.digest = digest
    }
}
