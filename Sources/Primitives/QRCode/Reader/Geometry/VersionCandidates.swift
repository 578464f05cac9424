extension FinderTriple {
    /// How far a version that is stated may be from the one by size: random modules often seem to state one.
    private static let tolerance = 3

    /// The versions that the symbol may have, the likeliest first: what its version information says, then by its size.
    func versions(_ image: BinaryImage) -> [QRVersion] {
        let side = side
        guard side > 15, side < 200 else { return [] }
        let estimate = min(max((side - 17) / 4, 1), 40)
        let nearest = Int(estimate + 0.5)
        var numbers: [Int] = []
        if nearest > 6 - Self.tolerance {
            numbers = Self.stated(image, homography(side: 17 + 4 * nearest), side: 17 + 4 * nearest)
                .map(\.number).filter { abs($0 - nearest) <= Self.tolerance }
        }
        let above = Double(nearest) < estimate
        for step in [0, above ? 1 : -1, above ? -1 : 1, above ? 2 : -2, above ? -2 : 2]
        where !numbers.contains(nearest + step) {
            numbers.append(nearest + step)
        }
        return numbers.compactMap(QRVersion.init)
    }

    /// What the two copies say that can be read. They stand beside the finders, where an error of the side matters
    /// little.
    private static func stated(_ image: BinaryImage, _ homography: Homography?, side: Int) -> [QRVersion] {
        guard let homography else { return [] }
        var copies = [0, 0]
        for bit in 0..<18 {
            let (long, short) = FunctionPatterns.versionPlace(bit, size: side)
            for (copy, module) in [(long, short), (short, long)].enumerated() {
                let place = homography(Place(Double(module.0) + 0.5, Double(module.1) + 0.5))
                copies[copy] |= image.isDark(at: place) ? 1 << bit : 0
            }
        }
        // A mirrored symbol has its copies in each other's place, transposed: they read the same.
        let versions = copies.compactMap(VersionInformation.nearest)
        return versions.count == 2 && versions[0] == versions[1] ? [versions[0]] : versions
    }
}

extension BinaryImage {
    /// - Returns: false outside of the picture.
    fileprivate func isDark(at place: Place) -> Bool {
        guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else { return false }
        return isDark(x: Int(place.x), y: Int(place.y))
    }
}
