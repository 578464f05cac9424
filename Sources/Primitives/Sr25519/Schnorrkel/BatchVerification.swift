import CSodium
import SecretMemory

/// A signature with what it was made for: one entry of a batch.
public struct Sr25519SignedMessage: Sendable {
    /// 64 bytes.
    public let signature: [UInt8]
    /// What was signed.
    public let message: [UInt8]
    /// 32 bytes.
    public let publicKey: [UInt8]
    /// The signing context; nil is `substrate`.
    public let context: [UInt8]?

    /// Makes it of its parts.
    public init(signature: [UInt8], message: [UInt8], publicKey: [UInt8], context: [UInt8]? = nil) {
        self.signature = signature
        self.message = message
        self.publicKey = publicKey
        self.context = context
    }
}

/// What came out of the verification of a batch.
public struct Sr25519BatchVerdict: Sendable, Equatable {
    /// Why an entry was refused, by its index in the batch.
    public internal(set) var refusals: [Int: Sr25519Error] = [:]

    /// Whether every signature is good.
    public var isValid: Bool { refusals.isEmpty }
}

extension Sr25519 {
    /// Verifies many signatures in less time than one by one, and says of each bad one what is wrong with it.
    ///
    ///     let verdict = Sr25519.verifyBatch(messages)
    ///     guard verdict.isValid else { … verdict.refusals … }
    ///
    /// Each entry gets the verdict of ``verify(signature:message:publicKey:context:)``. All equations are added up,
    /// each times a fresh random number, and checked at once; a wrong one is missed with a probability of 2⁻¹²⁸. Where
    /// the sum does not hold, the entries are checked one by one (`substrate-crypto` section 6.5).
    ///
    /// - Parameter messages: any number; keys that come more than once cost less. An empty batch is valid.
    public static func verifyBatch(_ messages: [Sr25519SignedMessage]) -> Sr25519BatchVerdict {
        verifyBatch(messages, on: .fastest)
    }

    static func verifyBatch(_ messages: [Sr25519SignedMessage], on arithmetic: CurveArithmetic) -> Sr25519BatchVerdict {
        var batch = VerificationBatch(messages, on: arithmetic)
        if batch.isLarge, (try? batch.holdsAtOnce()) == true { return batch.verdict }
        for entry in batch.entries where !batch.holds(entry) {
            batch.verdict.refusals[entry.index] = .signatureMismatch
        }
        return batch.verdict
    }
}

/// The equations s·B = k·A + R of the entries that are well formed, and the refusals of those that are not.
private struct VerificationBatch {
    struct Equation {
        let index: Int
        let s: PublicScalar
        let k: PublicScalar
        let a: RistrettoPoint
        let r: RistrettoPoint
        /// The number of the key among the different keys of the batch.
        let key: Int
    }

    private(set) var entries: [Equation] = []
    var verdict = Sr25519BatchVerdict()
    private var keyCount = 0
    private let arithmetic: CurveArithmetic

    /// The number of entries below which verifying them one by one takes less time; measured.
    private var leastCount: Int { arithmetic == .vector ? 3 : 4 }

    var isLarge: Bool { entries.count >= leastCount }

    init(_ messages: [Sr25519SignedMessage], on arithmetic: CurveArithmetic) {
        self.arithmetic = arithmetic
        var signatures: [(index: Int, parsed: ParsedSignature, key: Int)] = []
        var keys: [SIMD4<UInt64>: Int] = [:]
        var encodings: [SIMD4<UInt64>] = []
        for (index, message) in messages.enumerated() {
            do throws(Sr25519Error) {
                let parsed = try ParsedSignature(message.signature)
                let key = try Sr25519PublicKey.words(message.publicKey)
                let number = keys[key, default: keys.count]
                if number == keys.count {
                    keys[key] = number
                    encodings.append(key)
                }
                signatures.append((index, parsed, number))
            } catch {
                verdict.refusals[index] = error
            }
        }
        keyCount = keys.count
        let points = RistrettoPoint.decode(encodings + signatures.map(\.parsed.commitment), on: arithmetic)
        entries.reserveCapacity(signatures.count)
        for (position, (index, parsed, key)) in signatures.enumerated() {
            guard let a = points[key] else {
                verdict.refusals[index] = .invalidPublicKey
                continue
            }
            guard let r = points[keyCount + position] else {
                verdict.refusals[index] = .signatureMismatch
                continue
            }
            let message = messages[index]
            let k = parsed.challenge(
                message: message.message, publicKey: message.publicKey, context: message.context)
            entries.append(Equation(index: index, s: parsed.scalar, k: k, a: a, r: r, key: key))
        }
    }

    func holds(_ entry: Equation) -> Bool {
        RistrettoPoint.isEqual(base: entry.s, to: entry.k, times: entry.a, plus: entry.r, on: arithmetic)
    }

    /// Whether Σ z·s·B = Σ z·k·A + Σ z·R for random z, one for each entry.
    func holdsAtOnce() throws(SecretMemoryError) -> Bool {
        try Sodium.start()
        var base = WideScalar.zero
        var keyTerms = [MultiscalarTerm?](repeating: nil, count: keyCount)
        var terms: [MultiscalarTerm] = []
        terms.reserveCapacity(entries.count + keyCount)
        for (entry, factor) in zip(entries, Self.randomFactors(entries.count)) {
            base += WideScalar(factor, times: entry.s)
            let scalar = PublicScalar(reducing: WideScalar(factor, times: entry.k))
            keyTerms[entry.key] = MultiscalarTerm(
                scalar: keyTerms[entry.key].map { $0.scalar + scalar } ?? scalar, point: entry.a)
            terms.append(MultiscalarTerm(scalar: PublicScalar(factor), point: entry.r))
        }
        terms += keyTerms.lazy.compactMap(\.self)
        return RistrettoPoint.isEqual(base: PublicScalar(reducing: base), to: terms, on: arithmetic)
    }

    /// 128 random bits each, not zero.
    private static func randomFactors(_ count: Int) -> [UInt128] {
        var factors = [UInt128](repeating: 0, count: count)
        repeat {
            factors.withUnsafeMutableBytes { randombytes_buf($0.asBytes, $0.count) }
        } while factors.contains(0)
        return factors
    }
}
