/// A cell of the picture, in its pixels.
struct JdenticonCell {
    var x, y, side: Double
    /// Quarter turns, clockwise.
    var turn: Int

    /// A place of the unturned cell, in the picture.
    func place(_ point: Identicon.Point) -> Identicon.Point {
        switch turn {
        case 1: .init(x: x + side - point.y, y: y + point.x)
        case 2: .init(x: x + side - point.x, y: y + side - point.y)
        case 3: .init(x: x + point.y, y: y + side - point.x)
        default: .init(x: x + point.x, y: y + point.y)
        }
    }
}

/// A border in a cell, in pixels from the cell's top left corner.
enum JdenticonFigure {
    case polygon([Identicon.Point])
    case circle(center: Identicon.Point, radius: Double)

    func placed(_ cell: JdenticonCell, in size: Double) -> Identicon.Border {
        func scaled(_ point: Identicon.Point) -> Identicon.Point { .init(x: point.x / size, y: point.y / size) }
        return switch self {
        case .polygon(let points): .polygon(points.map { scaled(cell.place($0)) })
        case .circle(let center, let radius): .circle(center: scaled(cell.place(center)), radius: radius / size)
        }
    }

    private static func points(_ numbers: Double...) -> Self {
        .polygon(stride(from: 0, to: numbers.count, by: 2).map { .init(x: numbers[$0], y: numbers[$0 + 1]) })
    }

    /// A rectangle by its top left corner.
    private static func rectangle(x: Double, y: Double, width: Double, height: Double) -> Self {
        points(x, y, x + width, y, x + width, y + height, x, y + height)
    }

    /// A square whose top left corner lies on the cell's diagonal.
    private static func square(at edge: Double, side: Double) -> Self {
        rectangle(x: edge, y: edge, width: side, height: side)
    }

    /// A circle in such a square.
    private static func circle(at edge: Double, diameter: Double) -> Self {
        .circle(center: .init(x: edge + diameter / 2, y: edge + diameter / 2), radius: diameter / 2)
    }

    /// A rhombus in such a square.
    private static func rhombus(at edge: Double, side: Double) -> Self {
        let (middle, end) = (edge + side / 2, edge + side)
        return points(middle, edge, end, middle, middle, end, edge, middle)
    }

    private enum Corner { case topRight, bottomRight, bottomLeft, topLeft }

    /// Half of a rectangle: three of its corners.
    private static func triangle(
        x: Double, y: Double, width: Double, height: Double, without corner: Corner
    ) -> Self {
        switch corner {
        case .topRight: points(x + width, y + height, x, y + height, x, y)
        case .bottomRight: points(x + width, y, x, y + height, x, y)
        case .bottomLeft: points(x + width, y, x + width, y + height, x, y)
        case .topLeft: points(x + width, y, x + width, y + height, x, y + height)
        }
    }

    private static func bottomRightQuarter(of cell: Double, without corner: Corner) -> Self {
        triangle(x: cell / 2, y: cell / 2, width: cell / 2, height: cell / 2, without: corner)
    }

    /// The shape of a cell at a side or in a corner.
    static func outer(_ digit: Int, cell: Double) -> [Self] {
        switch digit % 4 {
        case 0: [triangle(x: 0, y: 0, width: cell, height: cell, without: .topRight)]
        case 1: [triangle(x: 0, y: cell / 2, width: cell, height: cell / 2, without: .topRight)]
        case 2: [rhombus(at: 0, side: cell)]
        default: [circle(at: cell / 6, diameter: cell - cell / 3)]
        }
    }

    /// The shape of a cell in the middle.
    ///
    /// - Parameter isFirst: whether it is the cell at the top left, which alone has the large circle.
    static func center(_ digit: Int, cell: Double, isFirst: Bool) -> [Self] {
        let ground = square(at: 0, side: cell)
        switch digit % 14 {
        case 0:
            let cut = cell * 0.42
            return [points(0, 0, cell, 0, cell, cell - 2 * cut, cell - cut, cell, 0, cell)]
        case 1:
            let (width, height) = (whole(cell * 0.5), whole(cell * 0.8))
            return [triangle(x: cell - width, y: 0, width: width, height: height, without: .bottomLeft)]
        case 2:
            let edge = whole(cell / 3)
            return [square(at: edge, side: cell - edge)]
        case 3:
            let outer = cell < 6 ? 1 : cell < 8 ? 2 : whole(cell * 0.25)
            let inner = cell * 0.1 > 1 ? whole(cell * 0.1) : cell * 0.1 > 0.5 ? 1 : cell * 0.1
            return [square(at: outer, side: cell - inner - outer)]
        case 4:
            let (edge, width) = (whole(cell * 0.15), whole(cell * 0.5))
            return [circle(at: cell - width - edge, diameter: width)]
        case 5:
            let (inner, outer) = (cell * 0.1, cell * 0.4 > 3 ? whole(cell * 0.1 * 4) : cell * 0.4)
            let end = cell - inner
            return [ground, points(outer, outer, end, outer, outer + (end - outer) / 2, end)]
        case 6: return [points(0, 0, cell, 0, cell, cell * 0.7, cell * 0.4, cell * 0.4, cell * 0.7, cell, 0, cell)]
        case 8:
            return [
                rectangle(x: 0, y: 0, width: cell, height: cell / 2),
                rectangle(x: 0, y: cell / 2, width: cell / 2, height: cell / 2),
                bottomRightQuarter(of: cell, without: .bottomRight),
            ]
        case 9:
            let outer = cell < 4 ? 1 : cell < 6 ? 2 : whole(cell * 0.35)
            let inner = cell < 8 ? cell * 0.14 : whole(cell * 0.14)
            return [ground, square(at: outer, side: cell - outer - inner)]
        case 10:
            let inner = cell * 0.12
            return [ground, circle(at: 3 * inner, diameter: cell - 4 * inner)]
        case 12: return [ground, rhombus(at: cell / 4, side: cell - cell / 4)]
        case 13: return isFirst ? [circle(at: cell * 0.4, diameter: cell * 1.2)] : []
        default: return [bottomRightQuarter(of: cell, without: .topLeft)]
        }
    }

    private static func whole(_ length: Double) -> Double { length.rounded(.towardZero) }
}
