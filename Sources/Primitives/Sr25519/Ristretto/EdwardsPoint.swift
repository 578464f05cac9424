/// A point of the twisted Edwards curve −x² + y² = 1 + d·x²·y² over 2²⁵⁵ − 19, in extended coordinates x = X/Z, y =
/// Y/Z, x·y = T/Z. For public data only: the arithmetic takes a time that depends on the values.
struct EdwardsPoint {
    var x: FieldElement
    var y: FieldElement
    var z: FieldElement
    var t: FieldElement

    static let identity = EdwardsPoint(x: .zero, y: .one, z: .one, t: .zero)

    @inline(__always)
    init(x: FieldElement, y: FieldElement, z: FieldElement, t: FieldElement) {
        self.x = x
        self.y = y
        self.z = z
        self.t = t
    }

    @inline(__always)
    init(_ completed: CompletedPoint) {
        x = completed.x * completed.t
        y = completed.z * completed.y
        z = completed.z * completed.t
        t = completed.x * completed.y
    }

    @inline(__always)
    var projective: ProjectivePoint { ProjectivePoint(x: x, y: y, z: z) }

    @inline(__always)
    var cached: CachedPoint {
        CachedPoint(yPlusX: y + x, yMinusX: y - x, z: z, twoDT: t * .twoD)
    }

    /// Whether this is the identity of ristretto255, which is represented by the four points with x = 0 or y = 0.
    var isIdentity: Bool { x.isZero || y.isZero }

    var negated: EdwardsPoint { EdwardsPoint(x: x.negated, y: y, z: z, t: t.negated) }

    static func + (a: EdwardsPoint, b: EdwardsPoint) -> EdwardsPoint {
        EdwardsPoint(CompletedPoint(a, plus: b.cached))
    }

    static func - (a: EdwardsPoint, b: EdwardsPoint) -> EdwardsPoint {
        a + b.negated
    }
}

/// X : Y : Z, which is all that doubling needs.
struct ProjectivePoint {
    var x: FieldElement
    var y: FieldElement
    var z: FieldElement

    @inline(__always)
    init(x: FieldElement, y: FieldElement, z: FieldElement) {
        self.x = x
        self.y = y
        self.z = z
    }

    @inline(__always)
    init(_ completed: CompletedPoint) {
        x = completed.x * completed.t
        y = completed.z * completed.y
        z = completed.z * completed.t
    }

    @inline(__always)
    var doubled: CompletedPoint {
        let xx = x.squared
        let yy = y.squared
        let zz = z.squared
        let sum = yy + xx
        let difference = yy - xx
        return CompletedPoint(
            x: FieldElement.subtractWide((x + y).squared, minus: sum), y: sum, z: difference,
            t: FieldElement.subtractWide(zz + zz, minus: difference))
    }
}

/// ((X : Z), (Y : T)): what an addition or doubling leaves before its last products.
struct CompletedPoint {
    var x: FieldElement
    var y: FieldElement
    var z: FieldElement
    var t: FieldElement

    @inline(__always)
    init(x: FieldElement, y: FieldElement, z: FieldElement, t: FieldElement) {
        self.x = x
        self.y = y
        self.z = z
        self.t = t
    }

    init(_ point: EdwardsPoint) {
        self.init(x: point.x, y: point.y, z: point.z, t: point.z)
    }

    @inline(__always)
    init(_ a: EdwardsPoint, plus b: CachedPoint) {
        let plus = (a.y + a.x) * b.yPlusX
        let minus = (a.y - a.x) * b.yMinusX
        let product = a.t * b.twoDT
        let zz = a.z * b.z
        self = CompletedPoint(plus: plus, minus: minus, product: product, twoZZ: zz + zz)
    }

    @inline(__always)
    private init(plus: FieldElement, minus: FieldElement, product: FieldElement, twoZZ: FieldElement) {
        self.init(x: plus - minus, y: plus + minus, z: twoZZ + product, t: twoZZ - product)
    }
}

// MARK: Steps of a multiplication

// Each step is a function of its own, so that the loop around them stays in the cache of decoded instructions.
extension CompletedPoint {
    static let identity = CompletedPoint(x: .zero, y: .one, z: .one, t: .one)

    @inline(never)
    mutating func double() {
        self = ProjectivePoint(self).doubled
    }

    /// Adds a point, or its negative.
    @inline(never)
    mutating func add(_ b: UnsafePointer<CachedPoint>, negated: Bool) {
        let b = b.pointee
        let a = EdwardsPoint(self)
        let plus = (a.y + a.x) * (negated ? b.yMinusX : b.yPlusX)
        let minus = (a.y - a.x) * (negated ? b.yPlusX : b.yMinusX)
        let product = a.t * b.twoDT
        let zz = a.z * b.z
        self = CompletedPoint(plus: plus, minus: minus, product: product, twoZZ: zz + zz)
        if negated { swap(&z, &t) }
    }

    /// Adds a point, or its negative.
    @inline(never)
    mutating func add(_ b: borrowing AffineCachedPoint, negated: Bool) {
        let a = EdwardsPoint(self)
        let plus = (a.y + a.x) * (negated ? b.yMinusX : b.yPlusX)
        let minus = (a.y - a.x) * (negated ? b.yPlusX : b.yMinusX)
        self = CompletedPoint(plus: plus, minus: minus, product: a.t * b.twoDXY, twoZZ: a.z + a.z)
        if negated { swap(&z, &t) }
    }
}

/// (Y + X, Y − X, Z, 2dT) of a point that will be added several times.
struct CachedPoint {
    var yPlusX: FieldElement
    var yMinusX: FieldElement
    var z: FieldElement
    var twoDT: FieldElement
}

extension CachedPoint {
    @inline(never)
    init(_ a: EdwardsPoint, plus b: CachedPoint) {
        self = EdwardsPoint(CompletedPoint(a, plus: b)).cached
    }
}

/// (y + x, y − x, 2dxy) of a point with Z = 1.
struct AffineCachedPoint {
    var yPlusX: FieldElement
    var yMinusX: FieldElement
    var twoDXY: FieldElement

    /// - Parameter inverseZ: 1/Z of the point.
    init(_ point: EdwardsPoint, inverseZ: FieldElement) {
        let x = point.x * inverseZ
        let y = point.y * inverseZ
        yPlusX = (y + x) * .one
        yMinusX = (y - x) * .one
        twoDXY = x * y * .twoD
    }

    /// The same of many points, for one inversion (Montgomery's trick).
    static func table(_ points: [EdwardsPoint]) -> [AffineCachedPoint] {
        var product = FieldElement.one
        let products = points.map { point in
            defer { product = product * point.z }
            return product
        }
        var inverse = product.inverted
        return zip(points, products).reversed().map { point, product in
            defer { inverse = inverse * point.z }
            return AffineCachedPoint(point, inverseZ: inverse * product)
        }.reversed()
    }
}
