/// A projective map of a plane.
struct Homography: Equatable, Sendable {
    /// Rows of the matrix, the last number of each being the constant.
    private let rowX: SIMD3<Double>
    private let rowY: SIMD3<Double>
    private let rowW: SIMD3<Double>

    private init(rowX: SIMD3<Double>, rowY: SIMD3<Double>, rowW: SIMD3<Double>) {
        self.rowX = rowX
        self.rowY = rowY
        self.rowW = rowW
    }

    /// The map that takes four places to four others.
    ///
    /// - Returns: nil if three of either lie in a line, or one quadrangle is folded.
    init?(_ from: [Place], to: [Place]) {
        guard let source = Self.fromUnitSquare(from), let target = Self.fromUnitSquare(to) else { return nil }
        self = target.after(source.adjugate)
    }

    /// The map from (0,0), (1,0), (1,1), (0,1); Heckbert, "Fundamentals of Texture Mapping", section 2.2.3.
    private static func fromUnitSquare(_ corners: [Place]) -> Homography? {
        guard corners.count == 4 else { return nil }
        let turns = (0..<4).map { index in
            let (before, corner, after) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (corner - before).cross(after - corner)
        }
        guard turns.allSatisfy({ $0 > 1e-6 }) || turns.allSatisfy({ $0 < -1e-6 }) else { return nil }
        let (first, second) = (corners[1] - corners[2], corners[3] - corners[2])
        let sum = corners[0] - corners[1] + corners[2] - corners[3]
        let determinant = first.cross(second)
        let g = sum.cross(second) / determinant
        let h = first.cross(sum) / determinant
        let right = corners[1] - corners[0] + corners[1] * g
        let down = corners[3] - corners[0] + corners[3] * h
        return Homography(
            rowX: SIMD3(right.x, down.x, corners[0].x), rowY: SIMD3(right.y, down.y, corners[0].y), rowW: SIMD3(g, h, 1)
        )
    }

    /// The inverse but for a factor.
    private var adjugate: Homography {
        func cross(_ a: SIMD3<Double>, with b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (a, b, c) = (cross(rowY, with: rowW), cross(rowW, with: rowX), cross(rowX, with: rowY))
        return Homography(rowX: SIMD3(a.x, b.x, c.x), rowY: SIMD3(a.y, b.y, c.y), rowW: SIMD3(a.z, b.z, c.z))
    }

    private func after(_ first: Homography) -> Homography {
        func row(_ row: SIMD3<Double>) -> SIMD3<Double> { first.rowX * row.x + first.rowY * row.y + first.rowW * row.z }
        return Homography(rowX: row(rowX), rowY: row(rowY), rowW: row(rowW))
    }

    func callAsFunction(_ place: Place) -> Place {
        let homogeneous = SIMD3(place.x, place.y, 1)
        return Place((rowX * homogeneous).sum(), (rowY * homogeneous).sum()) / (rowW * homogeneous).sum()
    }

    /// Where a row of places lies that are one apart: the numerators and the denominator of the first, and what each
    /// step adds.
    func row(from place: Place) -> (start: SIMD3<Double>, step: SIMD3<Double>) {
        let homogeneous = SIMD3(place.x, place.y, 1)
        return (
            SIMD3((rowX * homogeneous).sum(), (rowY * homogeneous).sum(), (rowW * homogeneous).sum()),
            SIMD3(rowX.x, rowY.x, rowW.x)
        )
    }
}
