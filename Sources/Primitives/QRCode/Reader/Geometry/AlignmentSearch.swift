/// Looks for all alignment patterns of a symbol, from the finders on (`raptorq-qr` section 14, step 4).
struct AlignmentSearch {
    let image: LumaImage
    let version: QRVersion
    let homography: Homography

    /// Correlation from which on a pattern counts as seen.
    private static let threshold: Float = 0.55

    /// Each pattern is expected where its neighbours above and to the left say, and looked for within `reach` modules.
    func run(finders: [Place]) -> SymbolGeometry? {
        let lines = version.alignmentCentres.map { Double($0) + 0.5 }
        let count = lines.count
        var residuals = [Place](repeating: .zero, count: count * count)
        var isLastKnown = false
        // A lone pattern may be far from where it is expected, those of a grid follow each other.
        let reach = count == 2 ? 4.0 : 2.0
        for index in residuals.indices where !SymbolGeometry.isFinderNode(index, lineCount: count) {
            let (row, column) = (index / count, index % count)
            let above = row > 0 ? residuals[index - count] : nil
            let before = column > 0 ? residuals[index - 1] : nil
            let guess =
                if let above, let before { above + before - residuals[index - count - 1] } else {
                    above ?? before ?? .zero
                }
            residuals[index] = guess
            let place = Place(lines[column], lines[row])
            let expected = homography(place)
            let right = homography(place + Place(1, 0)) - expected
            let down = homography(place + Place(0, 1)) - expected
            let size = max(right.length, down.length)
            guard
                let fit = PatternTemplate.alignment.search(
                    image, near: expected + guess, right: right, down: down, reach: reach * size),
                fit.correlation > Self.threshold
            else { continue }
            residuals[index] = fit.place - expected
            if index == residuals.count - 1 { isLastKnown = true }
        }
        let nodes = residuals.indices.map { index in
            homography(Place(lines[index % count], lines[index / count])) + residuals[index]
        }
        return SymbolGeometry(
            version, finders: finders, nodes: nodes, isLastKnown: isLastKnown, expected: homography, in: image)
    }
}
