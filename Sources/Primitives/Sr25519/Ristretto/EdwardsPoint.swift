/// A point of the twisted Edwards curve −x² + y² = 1 + d·x²·y² over 2²⁵⁵ − 19, in extended coordinates x = X/Z, y = Y/Z,
/// x·y = T/Z. For public data only: the arithmetic takes a time that depends on the values.
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
        y = completed.y * completed.z
        z = completed.z * completed.t
        t = completed.x * completed.y
    }

    @inline(__always)
    var projective: ProjectivePoint { ProjectivePoint(x: x, y: y, z: z) }

    var cached: CachedPoint {
        CachedPoint(yPlusX: y + x, yMinusX: y - x, z: z, twoDT: t * .twoD)
    }

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
        y = completed.y * completed.z
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
            x: FieldElement.subtractWide((x + y).squared, sum), y: sum, z: difference,
            t: FieldElement.subtractWide(zz + zz, difference))
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

    @inline(__always)
    init(_ a: EdwardsPoint, plus b: CachedPoint) {
        let plus = (a.y + a.x) * b.yPlusX
        let minus = (a.y - a.x) * b.yMinusX
        let product = a.t * b.twoDT
        let zz = a.z * b.z
        self.init(plus: plus, minus: minus, product: product, twoZZ: zz + zz)
    }

    @inline(__always)
    init(_ a: EdwardsPoint, minus b: CachedPoint) {
        let plus = (a.y + a.x) * b.yMinusX
        let minus = (a.y - a.x) * b.yPlusX
        let product = a.t * b.twoDT
        let zz = a.z * b.z
        self.init(plus: plus, minus: minus, negatedProduct: product, twoZZ: zz + zz)
    }

    @inline(__always)
    init(_ a: EdwardsPoint, plus b: AffineCachedPoint) {
        let plus = (a.y + a.x) * b.yPlusX
        let minus = (a.y - a.x) * b.yMinusX
        self.init(plus: plus, minus: minus, product: a.t * b.twoDXY, twoZZ: a.z + a.z)
    }

    @inline(__always)
    init(_ a: EdwardsPoint, minus b: AffineCachedPoint) {
        let plus = (a.y + a.x) * b.yMinusX
        let minus = (a.y - a.x) * b.yPlusX
        self.init(plus: plus, minus: minus, negatedProduct: a.t * b.twoDXY, twoZZ: a.z + a.z)
    }

    @inline(__always)
    private init(plus: FieldElement, minus: FieldElement, product: FieldElement, twoZZ: FieldElement) {
        self.init(x: plus - minus, y: plus + minus, z: twoZZ + product, t: twoZZ - product)
    }

    @inline(__always)
    private init(plus: FieldElement, minus: FieldElement, negatedProduct: FieldElement, twoZZ: FieldElement) {
        self.init(x: plus - minus, y: plus + minus, z: twoZZ - negatedProduct, t: twoZZ + negatedProduct)
    }
}

/// (Y + X, Y − X, Z, 2dT) of a point that will be added several times.
struct CachedPoint {
    var yPlusX: FieldElement
    var yMinusX: FieldElement
    var z: FieldElement
    var twoDT: FieldElement
}

/// (y + x, y − x, 2dxy) of a point with Z = 1.
struct AffineCachedPoint {
    var yPlusX: FieldElement
    var yMinusX: FieldElement
    var twoDXY: FieldElement

    init(_ point: EdwardsPoint) {
        let inverse = point.z.inverted
        let x = point.x * inverse
        let y = point.y * inverse
        yPlusX = (y + x) * .one
        yMinusX = (y - x) * .one
        twoDXY = x * y * .twoD
    }
}
