/// Where the modules of a symbol lie in a picture: a homography, and what alignment patterns differ from it.
struct SymbolGeometry: Sendable {
    let version: QRVersion
    /// Centres of the finders: top left, top right, bottom left.
    let finders: [Place]
    /// Centres of the alignment patterns and of the three places without one, row by row; those not seen where they
    /// should be.
    let nodes: [Place]
    let homography: Homography
    /// Whether the last of the nodes was seen, or followed from where it was.
    let isLastKnown: Bool

    /// Coordinates of the nodes, in modules.
    private let lines: [Double]
    /// What each node differs from the homography, in pixels; empty where nothing does.
    private let residuals: [Place]

    /// - Parameters:
    ///   - nodes: as many as the version has lines of alignment patterns, squared.
    ///   - isLastKnown: whether the last of them was seen.
    ///   - expected: the map to use where it was not.
    /// - Returns: nil if the places are no quadrangle, or corners lie far outside of the picture.
    init?(
        _ version: QRVersion, finders: [Place], nodes: [Place], isLastKnown: Bool, expected: Homography,
        in image: LumaImage
    ) {
        self.version = version
        self.finders = finders
        self.nodes = nodes
        self.isLastKnown = isLastKnown
        lines = version.alignmentCentres.map { Double($0) + 0.5 }
        let far = Double(version.size) - 3.5
        var homography = expected
        if isLastKnown, let last = nodes.last, let line = lines.last {
            guard
                let map = Homography(
                    [Place(3.5, 3.5), Place(far, 3.5), Place(line, line), Place(3.5, far)],
                    to: [finders[0], finders[1], last, finders[2]])
            else { return nil }
            homography = map
        }
        self.homography = homography
        let lines = lines
        residuals =
            lines.count < 3
            ? []
            : nodes.indices.map { index in
                if Self.isFinderNode(index, lineCount: lines.count) { return .zero }
                return nodes[index] - homography(Place(lines[index % lines.count], lines[index / lines.count]))
            }
        guard corners.allSatisfy({ Self.isNear($0, image) }) else { return nil }
        // A convex quadrangle with finite corners holds all modules, its denominators have one sign.
        let side = Double(version.size)
        guard Homography([Place(0, 0), Place(side, 0), Place(side, side), Place(0, side)], to: corners) != nil else {
            return nil
        }
    }

    /// Whether nothing but the finders' sizes tells where the fourth corner lies. Larger versions have further
    /// patterns.
    var isFourthCornerGuessed: Bool { !isLastKnown && version.number < 7 }

    /// The corners: top left, top right, bottom right, bottom left.
    var corners: [Place] {
        let side = Double(version.size)
        return [Place(0, 0), Place(side, 0), Place(side, side), Place(0, side)].map { homography($0) }
    }

    /// Whether a place lies within the symbol.
    func holds(_ place: Place) -> Bool {
        let corners = corners
        return (0..<4).allSatisfy { index in
            let edge: Place = corners[(index + 1) % 4] - corners[index]
            return edge.cross(place - corners[index]) >= 0
        }
    }

    /// Whether a place lies within the picture, or a little outside.
    private static func isNear(_ place: Place, _ image: LumaImage) -> Bool {
        let margin = Double(max(image.width, image.height)) / 16
        return place.x > -margin && place.y > -margin && place.x < Double(image.width) + margin
            && place.y < Double(image.height) + margin
    }

    /// Whether modules are so small that only the pixels nearest to their middles show them alone.
    var isFine: Bool { moduleSize < 4 }

    /// A module's side in pixels, about.
    private var moduleSize: Double {
        let middle = Double(version.size) / 2
        let here = homography(Place(middle, middle))
        let right = homography(Place(middle + 1, middle)) - here
        let down = homography(Place(middle, middle + 1)) - here
        return abs(right.cross(down)).squareRoot()
    }

    /// Whether no alignment pattern stands at a node, since a finder does.
    func isFinderNode(_ index: Int) -> Bool { Self.isFinderNode(index, lineCount: lines.count) }

    static func isFinderNode(_ index: Int, lineCount: Int) -> Bool {
        index == 0 || index == lineCount - 1 || index == lineCount * (lineCount - 1)
    }

    /// Where a node stands in the symbol.
    func module(ofNode index: Int) -> Place { Place(lines[index % lines.count], lines[index / lines.count]) }

    /// The place of the middle of a module.
    func place(_ module: SIMD2<Int>) -> SIMD2<Float> {
        let middle = Place(Double(module.x) + 0.5, Double(module.y) + 0.5)
        var place = homography(middle)
        if !residuals.isEmpty {
            place += Self.interpolated(
                middle.x, in: Self.cell(middle.x, lines), residuals: residualLine(middle.y), lines: lines)
        }
        return SIMD2(Float(place.x), Float(place.y))
    }

    /// Places of the middles of a row of modules.
    ///
    /// - Parameter offset: in modules, added to all.
    func row(_ y: Int, offset: Place, into places: inout [SIMD2<Float>]) {
        let v = Double(y) + 0.5
        let (start, step) = homography.row(from: Place(0.5 + offset.x, v + offset.y))
        var point = start
        for x in 0..<version.size {
            places[x] = SIMD2(Float(point.x / point.z), Float(point.y / point.z))
            point += step
        }
        guard !residuals.isEmpty else { return }
        let line = residualLine(v)
        for left in 0..<lines.count - 1 {
            let first = left == 0 ? 0 : Int(lines[left])
            let end = left == lines.count - 2 ? places.count : Int(lines[left + 1])
            for x in first..<end {
                let residual = Self.interpolated(Double(x) + 0.5, in: left, residuals: line, lines: lines)
                places[x] += SIMD2(Float(residual.x), Float(residual.y))
            }
        }
    }

    /// What the homography lacks along a row, at each line of alignment patterns.
    private func residualLine(_ v: Double) -> [Place] {
        let upper = Self.cell(v, lines)
        let part = Self.part(v, in: upper, lines)
        let first = upper * lines.count
        return (first..<first + lines.count).map { index -> Place in
            let (above, below) = (residuals[index], residuals[index + lines.count])
            return above + (below - above) * part
        }
    }

    private static func interpolated(_ u: Double, in cell: Int, residuals: [Place], lines: [Double]) -> Place {
        residuals[cell] + (residuals[cell + 1] - residuals[cell]) * part(u, in: cell, lines)
    }

    /// The gap between lines in which a place lies, or the nearest.
    private static func cell(_ place: Double, _ lines: [Double]) -> Int {
        var index = 0
        while index < lines.count - 2 && lines[index + 1] <= place { index += 1 }
        return index
    }

    /// How far in a gap a place lies, 0 to 1.
    private static func part(_ place: Double, in cell: Int, _ lines: [Double]) -> Double {
        min(max((place - lines[cell]) / (lines[cell + 1] - lines[cell]), 0), 1)
    }
}
