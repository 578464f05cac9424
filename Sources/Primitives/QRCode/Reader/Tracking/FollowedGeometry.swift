extension SymbolGeometry {
    /// Modules that a finder is looked for at first, and if it is not there.
    private static let reaches = [1.0, 4.0]
    /// Correlation from which on a finder counts as seen.
    private static let finderThreshold: Float = 0.6
    private static let alignmentThreshold: Float = 0.6

    /// The place of the same symbol in the next picture of a film, or nil if a finder is not near where it was.
    func followed(to image: LumaImage) -> SymbolGeometry? {
        let far = Double(version.size) - 3.5
        let centres = [Place(3.5, 3.5), Place(far, 3.5), Place(3.5, far)]
        var finders: [Place] = []
        var shift = Place.zero
        for (centre, before) in zip(centres, self.finders) {
            guard let place = followed(finderAt: centre, before + shift, image) else { return nil }
            finders.append(place)
            shift = place - before
        }
        guard let move = AffineMap(self.finders, to: finders) else { return nil }
        let moved = Homography(
            [Place(3.5, 3.5), Place(far, 3.5), Place(far, far), Place(3.5, far)],
            to: [finders[0], finders[1], move(homography(Place(far, far))), finders[2]])
        guard let moved else { return nil }
        return SymbolGeometry(
            version, finders: finders,
            nodes: nodes.indices.map { followed(node: $0, expected: move(nodes[$0]), homography: moved, in: image) },
            isLastKnown: isLastKnown, expected: moved, in: image)
    }

    private func followed(finderAt centre: Place, _ expected: Place, _ image: LumaImage) -> Place? {
        let (right, down) = steps(at: centre, homography)
        for reach in Self.reaches {
            if let fit = PatternTemplate.finder.search(
                image, near: expected, right: right, down: down, reach: reach * max(right.length, down.length)),
                fit.correlation > Self.finderThreshold
            {
                return fit.place
            }
        }
        return nil
    }

    private func followed(node: Int, expected: Place, homography: Homography, in image: LumaImage) -> Place {
        guard !isFinderNode(node) else { return expected }
        let (right, down) = steps(at: module(ofNode: node), homography)
        let fit = PatternTemplate.alignment.search(
            image, near: expected, right: right, down: down, reach: max(right.length, down.length) / 2)
        guard let fit, fit.correlation > Self.alignmentThreshold else { return expected }
        return fit.place
    }

    /// A module's step along a row and along a column.
    private func steps(at module: Place, _ homography: Homography) -> (right: Place, down: Place) {
        let here = homography(module)
        return (homography(module + Place(1, 0)) - here, homography(module + Place(0, 1)) - here)
    }
}

/// A map that keeps parallels.
private struct AffineMap {
    private let from: Place
    private let to: Place
    private let columnX: Place
    private let columnY: Place

    /// - Returns: nil if the three places lie in a line.
    init?(_ source: [Place], to target: [Place]) {
        let (a, b) = (source[1] - source[0], source[2] - source[0])
        let (c, d) = (target[1] - target[0], target[2] - target[0])
        let determinant = a.cross(b)
        guard abs(determinant) > 1e-6 else { return nil }
        (from, to) = (source[0], target[0])
        columnX = (c * b.y - d * a.y) / determinant
        columnY = (d * a.x - c * b.x) / determinant
    }

    func callAsFunction(_ place: Place) -> Place {
        let offset = place - from
        return to + columnX * offset.x + columnY * offset.y
    }
}
