/// Repairs blocks of code words: Reed–Solomon with roots α⁰, α¹, …, by Berlekamp–Massey, Chien and Forney.
struct BlockCorrection: Sendable {
    /// Error-correction code words of a block.
    let eccCount: Int
    /// What each byte that leaves the register adds: the generator times the byte.
    private let rows: [SIMD4<UInt64>]
    private let exponents = ReedSolomon.exponents
    private let logarithms = ReedSolomon.logarithms

    /// - Parameter eccCount: 1 to 30.
    init(eccCount: Int) {
        precondition((1...30).contains(eccCount))
        self.eccCount = eccCount
        let generator = ReedSolomon.generator(degree: eccCount)
        let powers = (0..<8).map { bit in Self.register(generator.map { ReedSolomon.multiply($0, by: 1 << UInt8(bit)) })
        }
        var rows = [SIMD4<UInt64>](repeating: .zero, count: 256)
        for value in 1..<256 {
            let low = value & (value - 1)
            rows[value] = rows[low] ^ powers[(value ^ low).trailingZeroBitCount]
        }
        self.rows = rows
    }

    /// Repairs `block`, data first.
    ///
    /// - Parameters:
    ///   - block: at most 255 code words.
    ///   - erasures: places of doubtful code words, each once.
    /// - Returns: the number of code words changed, or nil if the block is not within reach: twice the wrong ones, and
    ///   once the doubtful, must not exceed ``eccCount``. The block is then as it was.
    func correct(_ block: inout [UInt8], erasures: [Int] = []) -> Int? {
        let remainder = remainder(block)
        if remainder == .zero { return 0 }
        guard erasures.count <= eccCount else { return nil }
        let syndromes = syndromes(remainder)
        let lastPower = block.count - 1
        guard let locator = locator(syndromes, erasures: erasures.map { lastPower - $0 }),
            let powers = roots(locator, count: block.count)
        else { return nil }
        var repaired = block
        let evaluator = product(syndromes, by: locator)
        for power in powers {
            guard let value = errorValue(at: power, locator: locator, evaluator: evaluator) else { return nil }
            repaired[lastPower - power] ^= value
        }
        guard self.remainder(repaired) == .zero else { return nil }
        let changed = zip(block, repaired).count { $0 != $1 }
        block = repaired
        return changed
    }

    // MARK: Remainder

    /// Coefficients packed from the top of the first word.
    private static func register(_ coefficients: [UInt8]) -> SIMD4<UInt64> {
        var register = SIMD4<UInt64>.zero
        for (index, value) in coefficients.enumerated() {
            register[index / 8] |= UInt64(value) << UInt64(56 - index % 8 * 8)
        }
        return register
    }

    /// The block modulo the generator.
    private func remainder(_ block: [UInt8]) -> SIMD4<UInt64> {
        // The last words are what the register is compared with, so they enter it at the end.
        var register = SIMD4<UInt64>.zero
        for word in block.dropLast(eccCount) {
            let leaving = Int(UInt8(truncatingIfNeeded: register.x >> 56) ^ word)
            let carried = SIMD4(register.y, register.z, register.w, 0) &>> 56
            register = (register &<< 8 | carried) ^ rows[leaving]
        }
        return register ^ Self.register(block.suffix(eccCount))
    }

    /// The values of the remainder at the roots: those of the block itself.
    private func syndromes(_ remainder: SIMD4<UInt64>) -> [UInt8] {
        let coefficients = (0..<eccCount).map { index -> UInt8 in
            let shift = UInt64(56 - index % 8 * 8)
            return UInt8(truncatingIfNeeded: remainder[index / 8] >> shift)
        }
        return (0..<eccCount).map { root in
            coefficients.reduce(0) { multiply($0, by: exponents[root]) ^ $1 }
        }
    }

    // MARK: Locator

    /// The polynomial, lowest power first, whose roots are the inverses of α to the powers of the wrong places.
    private func locator(_ syndromes: [UInt8], erasures: [Int]) -> [UInt8]? {
        var locator = [1] + [UInt8](repeating: 0, count: eccCount)
        for power in erasures {
            for index in (1...eccCount).reversed() {
                locator[index] ^= multiply(locator[index - 1], by: exponents[power])
            }
        }
        var before = locator
        var length = erasures.count
        for step in erasures.count..<eccCount {
            let discrepancy = (0...step).reduce(0 as UInt8) {
                $0 ^ multiply(locator[$1], by: syndromes[step - $1])
            }
            before = [0] + before.dropLast()
            guard discrepancy != 0 else { continue }
            let next = zip(locator, before).map { $0 ^ multiply(discrepancy, by: $1) }
            if 2 * length <= step + erasures.count {
                length = step + 1 + erasures.count - length
                let factor = inverse(discrepancy)
                before = locator.map { multiply($0, by: factor) }
            }
            locator = next
        }
        let degree = locator.lastIndex { $0 != 0 } ?? 0
        guard degree == length, 2 * length - erasures.count <= eccCount else { return nil }
        return Array(locator[...degree])
    }

    /// The powers of the places that the locator names, or nil if they are fewer than its degree.
    private func roots(_ locator: [UInt8], count: Int) -> [Int]? {
        let powers = (0..<count).filter { value(locator, at: exponents[(255 - $0) % 255]) == 0 }
        return powers.count == locator.count - 1 ? powers : nil
    }

    // MARK: Values

    /// Forney's formula; nil if the locator has a double root.
    private func errorValue(at power: Int, locator: [UInt8], evaluator: [UInt8]) -> UInt8? {
        let root = exponents[(255 - power) % 255]
        let derivative = locator.indices.dropFirst().map { $0 % 2 == 1 ? locator[$0] : 0 }
        let slope = value(derivative, at: root)
        guard slope != 0 else { return nil }
        return multiply(
            multiply(value(evaluator, at: root), by: exponents[power % 255]),
            by: inverse(slope))
    }

    /// Syndromes times locator, modulo x^eccCount.
    private func product(_ syndromes: [UInt8], by locator: [UInt8]) -> [UInt8] {
        (0..<eccCount).map { power in
            (0...min(power, locator.count - 1)).reduce(0) {
                $0 ^ multiply(locator[$1], by: syndromes[power - $1])
            }
        }
    }

    // MARK: Field

    /// The product in the field, as in ``ReedSolomon``, from this value's own tables: global ones cost a check at each
    /// use.
    private func multiply(_ a: UInt8, by b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : exponents[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    private func inverse(_ value: UInt8) -> UInt8 { exponents[255 - Int(logarithms[Int(value)])] }

    private func value(_ polynomial: [UInt8], at point: UInt8) -> UInt8 {
        polynomial.reversed().reduce(0) { multiply($0, by: point) ^ $1 }
    }
}
