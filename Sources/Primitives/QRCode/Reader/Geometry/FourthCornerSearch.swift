/// Looks for the place of the fourth corner of a symbol without an alignment pattern to tell it: where the modules have
/// the most contrast, they are met in their middles.
struct FourthCornerSearch {
    let image: LumaImage

    /// Modules of a step, the coarse ones first.
    private static let steps = [1.0, 0.5, 0.25]
    /// Moves of one length at the most.
    private static let moveLimit = 6

    func run(_ geometry: SymbolGeometry) -> SymbolGeometry {
        var best = (geometry: geometry, contrast: ModuleSamples(image, geometry).contrast)
        for step in Self.steps {
            for _ in 0..<Self.moveLimit {
                let moved = [Place(step, 0), Place(-step, 0), Place(0, step), Place(0, -step)]
                    .compactMap { best.geometry.movingFourthCorner($0, image) }
                    .map { (geometry: $0, contrast: ModuleSamples(image, $0).contrast) }
                guard let better = moved.max(by: { $0.contrast < $1.contrast }), better.contrast > best.contrast else {
                    break
                }
                best = better
            }
        }
        return best.geometry
    }
}

extension SymbolGeometry {
    /// - Parameter offset: in modules.
    fileprivate func movingFourthCorner(_ offset: Place, _ image: LumaImage) -> SymbolGeometry? {
        let far = Double(version.size) - 3.5
        let corner = Place(far, far)
        let moved = Homography(
            [Place(3.5, 3.5), Place(far, 3.5), corner, Place(3.5, far)],
            to: [finders[0], finders[1], homography(corner + offset), finders[2]])
        return moved.flatMap {
            SymbolGeometry(version, finders: finders, nodes: nodes, isLastKnown: false, expected: $0, in: image)
        }
    }
}
