/// A path down the tree of BIP-32, like `m/44'/60'/0'/0/0`.
///
/// Source: BIP-32, BIP-44, `substrate-crypto` section 9.4.
public struct BIP32Path: Hashable, Sendable {
    /// A step from a key to a child of it.
    package struct Step: Hashable, Sendable {
        /// The number of the child, below 2³¹.
        package let index: UInt32
        /// Whether the child is made of the parent's secret and not of its public key; written `'`.
        package let isHardened: Bool

        fileprivate init(index: UInt32, isHardened: Bool) {
            self.index = index
            self.isHardened = isHardened
        }

        /// The number that the derivation takes.
        var number: UInt32 { isHardened ? index | 1 << 31 : index }
    }

    /// Steps at the most: the depth of a key is written in one byte.
    package static let stepLimit = 255

    /// The steps, at least one.
    package let steps: [Step]

    private init(steps: [Step]) {
        self.steps = steps
    }

    /// - Parameter text: `m` and steps, each `/`, decimal digits below 2³¹, and `'` where it is hardened.
    public init(parsing text: String) throws(BIP32PathError) {
        let bytes = Array(text.utf8)
        guard bytes.starts(with: "m/".utf8) else { throw .missingRoot }
        var steps: [Step] = []
        var position = 1
        while position < bytes.count {
            guard steps.count < Self.stepLimit else { throw .tooManySteps(limit: Self.stepLimit) }
            steps.append(try Self.step(from: bytes, at: &position))
        }
        self.steps = steps
    }

    private static func step(from bytes: [UInt8], at position: inout Int) throws(BIP32PathError) -> Step {
        guard bytes[position] == UInt8(ascii: "/") else { throw .unexpectedCharacter(offset: position) }
        let start = position + 1
        let digits = bytes[start...].prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { throw .missingIndex(offset: start) }
        guard let index = UInt32(String(decoding: digits, as: UTF8.self)), index < 1 << 31 else {
            throw .indexTooLarge(offset: start)
        }
        position = digits.endIndex
        let isHardened = position < bytes.count && bytes[position] == UInt8(ascii: "'")
        if isHardened { position += 1 }
        return Step(index: index, isHardened: isHardened)
    }

    // MARK: Wallets

    /// Where Ethereum wallets keep their accounts: `m/44'/60'/0'/0/account`.
    public static func ethereum(account: UInt16) -> BIP32Path {
        BIP32Path(
            steps: bip44(coin: 60) + [
                Step(index: 0, isHardened: true), Step(index: 0, isHardened: false),
                Step(index: UInt32(account), isHardened: false),
            ])
    }

    /// Where a Ledger device keeps its accounts: `m/44'/coin'/account'/0'/index'`.
    ///
    /// - Parameter coin: 354 for Polkadot, 434 for Kusama.
    public static func ledger(coin: UInt16, account: UInt16, index: UInt16 = 0) -> BIP32Path {
        BIP32Path(
            steps: bip44(coin: coin) + [UInt32(account), 0, UInt32(index)].map { Step(index: $0, isHardened: true) })
    }

    private static func bip44(coin: UInt16) -> [Step] {
        [Step(index: 44, isHardened: true), Step(index: UInt32(coin), isHardened: true)]
    }

    /// The index behind `m/44'`, which says for which coin a path is (SLIP-44); nil if the path is none of BIP-44.
    package var coin: UInt32? {
        steps.count > 1 && steps[0].index == 44 ? steps[1].index : nil
    }

    /// The same path with every step hardened.
    package var hardened: BIP32Path {
        BIP32Path(steps: steps.map { Step(index: $0.index, isHardened: true) })
    }
}

extension BIP32Path: CustomStringConvertible {
    /// The text that parses to this path.
    public var description: String {
        "m" + steps.map { "/\($0.index)" + ($0.isHardened ? "'" : "") }.joined()
    }
}
