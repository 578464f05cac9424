/// What a chain of powers is made of. A pair of numbers goes through it side by side: one product after another would
/// leave the processor waiting for each, two at a time keep it busy.
protocol PowerBase {
    static func * (a: Self, b: Self) -> Self

    /// self^(2^count).
    func squared(times count: Int) -> Self
}

struct FieldElementPair: PowerBase {
    var first: FieldElement
    var second: FieldElement

    static func * (a: Self, b: Self) -> Self {
        Self(first: a.first * b.first, second: a.second * b.second)
    }

    @inline(never)
    func squared(times count: Int) -> Self {
        var value = self
        for _ in 0..<count { value = Self(first: value.first.squared, second: value.second.squared) }
        return value
    }
}

extension FieldElement: PowerBase {
    @inline(never)
    func squared(times count: Int) -> FieldElement {
        var value = self
        for _ in 0..<count { value = value.squared }
        return value
    }

    /// a^(p − 2): 1/a, or 0 for 0.
    @inline(never)
    var inverted: FieldElement {
        let (long, eleven) = chain
        return long.squared(times: 5) * eleven
    }
}

extension PowerBase {
    /// (a^(2²⁵⁰ − 1), a¹¹): the common part of the inversion and root chains.
    fileprivate var chain: (long: Self, eleven: Self) {
        let two = squared(times: 1)
        let nine = two.squared(times: 2) * self
        let eleven = two * nine
        let e5 = eleven.squared(times: 1) * nine
        let e10 = e5.squared(times: 5) * e5
        let e20 = e10.squared(times: 10) * e10
        let e40 = e20.squared(times: 20) * e20
        let e50 = e40.squared(times: 10) * e10
        let e100 = e50.squared(times: 50) * e50
        let e200 = e100.squared(times: 100) * e100
        return (e200.squared(times: 50) * e50, eleven)
    }

    /// a^((p − 5) / 8).
    var powerForRoot: Self {
        chain.long.squared(times: 2) * self
    }
}

/// The square root of 1/v, in the two steps around the one power that it costs.
struct InverseSquareRoot {
    private let v: FieldElement
    private let v3: FieldElement
    /// What to raise to (p − 5) / 8.
    let base: FieldElement

    init(of v: FieldElement) {
        self.v = v
        v3 = v.squared * v
        base = v3.squared * v
    }

    /// The non-negative root of 1/v if there is one, else that of √−1 / v.
    ///
    /// - Parameter power: ``base`` raised to (p − 5) / 8.
    func root(power: FieldElement) -> (isSquare: Bool, root: FieldElement) {
        let root = v3 * power
        let check = (v * root.squared).canonical
        let isPlus = check == Self.one
        let isMinus = check == Self.minusOne
        let isTurned = isMinus || check == Self.minusRootOfMinusOne
        return (isPlus || isMinus, (isTurned ? root * .squareRootOfMinusOne : root).absolute)
    }

    private static let one = FieldElement.one.canonical
    private static let minusOne = FieldElement.one.negated.canonical
    private static let minusRootOfMinusOne = FieldElement.squareRootOfMinusOne.negated.canonical

    /// Takes both steps at once.
    @inline(never)
    static func of(_ v: FieldElement) -> (isSquare: Bool, root: FieldElement) {
        let pending = InverseSquareRoot(of: v)
        return pending.root(power: pending.base.powerForRoot)
    }
}
