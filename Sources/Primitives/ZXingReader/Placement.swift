import QRCode

/// Where the pixels of a changed picture lie in the original: an affine map.
struct Placement {
    /// Pixels of the changed picture.
    let width: Int
    let height: Int
    /// How far one step to the right, and one step down, goes in the original.
    private let right: Point
    private let down: Point
    /// Where the changed picture's corner lies.
    private let origin: Point

    /// In pixels from the top left corner.
    struct Point {
        let x: Double
        let y: Double
    }

    static func doubling(_ image: LumaImage) -> Placement {
        Placement(
            width: 2 * image.width, height: 2 * image.height, right: Point(x: 0.5, y: 0), down: Point(x: 0, y: 0.5),
            origin: Point(x: 0, y: 0))
    }

    static func mirroring(_ image: LumaImage) -> Placement {
        Placement(
            width: image.width, height: image.height, right: Point(x: -1, y: 0), down: Point(x: 0, y: 1),
            origin: Point(x: Double(image.width), y: 0))
    }

    /// Turned about its centre, on a canvas that holds all of it.
    /// - Parameter sine: of the angle, from -1 to 1.
    static func turning(_ image: LumaImage, sine: Double) -> Placement {
        let cosine = (1 - sine * sine).squareRoot()
        let (w, h) = (Double(image.width), Double(image.height))
        let width = (w * cosine + h * abs(sine)).rounded(.up)
        let height = (w * abs(sine) + h * cosine).rounded(.up)
        return Placement(
            width: Int(width), height: Int(height), right: Point(x: cosine, y: sine), down: Point(x: -sine, y: cosine),
            origin: Point(x: (w - width * cosine + height * sine) / 2, y: (h - width * sine - height * cosine) / 2))
    }

    /// The place in the original of a place in the changed picture.
    func original(_ point: Point) -> Point {
        Point(x: origin.x + point.x * right.x + point.y * down.x, y: origin.y + point.x * right.y + point.y * down.y)
    }

    func original(_ corner: QRReading.Corner) -> QRReading.Corner {
        let place = original(Point(x: Double(corner.x), y: Double(corner.y)))
        return QRReading.Corner(x: Int(place.x.rounded()), y: Int(place.y.rounded()))
    }
}
