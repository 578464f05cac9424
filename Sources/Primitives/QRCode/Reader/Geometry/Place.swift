/// A place in a picture, in pixels from its top left corner, or in a symbol, in modules from its own; the first pixel
/// or module has its middle at one half.
typealias Place = SIMD2<Double>

extension SIMD2<Double> {
    var length: Double { (self * self).sum().squareRoot() }

    func dot(_ other: Self) -> Double { (self * other).sum() }

    /// The area of the parallelogram of both; positive if `other` lies clockwise, as a picture is seen.
    func cross(_ other: Self) -> Double { x * other.y - y * other.x }
}

func abs(_ place: Place) -> Place { Place(abs(place.x), abs(place.y)) }
