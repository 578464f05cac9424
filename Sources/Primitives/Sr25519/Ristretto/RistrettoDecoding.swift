// Decoding accepts the one canonical encoding of an element and nothing else (RFC 9496 section 4.3.1).

extension RistrettoPoint {
    /// - Returns: nil unless the bytes are 32 and encode an element.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(words: bytes.withUnsafeBytes { SIMD4(littleEndian: $0) })
    }

    /// - Parameter words: the 32 bytes as words, least significant first.
    init?(words: SIMD4<UInt64>) {
        guard let pending = PendingDecoding(words) else { return nil }
        self.init(pending, power: pending.root.base.powerForRoot)
    }

    /// Decodes two encodings in much less than twice the time of one.
    static func decode(
        _ first: SIMD4<UInt64>, and second: SIMD4<UInt64>
    ) -> (first: RistrettoPoint?, second: RistrettoPoint?) {
        guard let pending = PendingDecoding(first), let otherPending = PendingDecoding(second) else {
            return (RistrettoPoint(words: first), RistrettoPoint(words: second))
        }
        let powers = FieldElementPair(first: pending.root.base, second: otherPending.root.base).powerForRoot
        return (
            RistrettoPoint(pending, power: powers.first), RistrettoPoint(otherPending, power: powers.second)
        )
    }

    /// Decodes many, each in much less than the time of one alone.
    static func decode(
        _ encodings: [SIMD4<UInt64>], on arithmetic: CurveArithmetic = .fastest
    ) -> [RistrettoPoint?] {
        switch arithmetic {
        case .portable: decodePairs(encodings)
        case .vector: decodeEights(encodings)
        }
    }

    private static func decodeEights(_ encodings: [SIMD4<UInt64>]) -> [RistrettoPoint?] {
        var points: [RistrettoPoint?] = []
        points.reserveCapacity(encodings.count)
        for start in stride(from: 0, to: encodings.count, by: 8) {
            let pending = encodings[start...].prefix(8).map { PendingDecoding($0) }
            let powers = FieldElement.vectorPowersForRoot(pending.map { $0?.root.base ?? .zero })
            for index in pending.indices {
                points.append(pending[index].flatMap { RistrettoPoint($0, power: powers[index]) })
            }
        }
        return points
    }

    private static func decodePairs(_ encodings: [SIMD4<UInt64>]) -> [RistrettoPoint?] {
        var points: [RistrettoPoint?] = []
        points.reserveCapacity(encodings.count)
        for index in stride(from: 0, to: encodings.count - 1, by: 2) {
            let (first, second) = decode(encodings[index], and: encodings[index + 1])
            points.append(first)
            points.append(second)
        }
        if let last = encodings.last, points.count < encodings.count { points.append(RistrettoPoint(words: last)) }
        return points
    }

    @inline(never)
    private init?(_ pending: borrowing PendingDecoding, power: FieldElement) {
        let (isSquare, root) = pending.root.root(power: power)
        let denominatorX = root * pending.u2
        let denominatorY = root * denominatorX * pending.v
        let x = ((pending.s + pending.s) * denominatorX).absolute
        let y = pending.u1 * denominatorY
        let t = x * y
        guard isSquare, !t.isNegative, !y.isZero else { return nil }
        edwards = EdwardsPoint(x: x, y: y, z: .one, t: t)
    }
}

/// A decoding up to its square root.
private struct PendingDecoding {
    let s: FieldElement
    let u1: FieldElement
    let u2: FieldElement
    let v: FieldElement
    let root: InverseSquareRoot

    @inline(never)
    init?(_ words: SIMD4<UInt64>) {
        // An odd number is negative.
        guard words[0] & 1 == 0, let s = FieldElement(canonical: words) else { return nil }
        let ss = s.squared
        self.s = s
        u1 = .one - ss
        u2 = .one + ss
        let u2u2 = u2.squared
        v = (FieldElement.d * u1.squared).negated - u2u2
        root = InverseSquareRoot(of: v * u2u2)
    }
}

extension SIMD4<UInt64> {
    /// - Parameter bytes: 32 bytes, the least significant first.
    init(littleEndian bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32, "four words have 32 bytes")
        self.init()
        for index in 0..<4 {
            self[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
    }
}
