/// Sixteen cells with shapes that turn about the middle, in three of five colours of one hue.
///
/// The hexadecimal digits of a hash choose: the second the shape of the four cells in the middle, the third to sixth
/// the shapes at the sides and corners and how they are turned, three further ones the colours, the last seven the hue.
///
/// Source: `dmester/jdenticon`, version 3, with its usual settings.
enum Jdenticon {
    /// The size for which shapes are computed. Jdenticon rounds to pixels, which hardly shows at this size.
    private static let usualSize = 400

    static func shapes(of key: [UInt8]) -> [Identicon.Shape] { shapes(ofHash: digits(of: key), size: usualSize) }

    /// The digits of a key's bytes, with zeros where it has fewer than are used.
    private static func digits(of key: [UInt8]) -> [Int] {
        let digits = key.flatMap { [Int($0 >> 4), Int($0 & 15)] }
        return digits + [Int](repeating: 0, count: max(0, leastDigits - digits.count))
    }

    /// Jdenticon takes texts of fewer digits for texts to be hashed.
    private static let leastDigits = 11

    /// - Parameters:
    ///   - digits: 11 or more, each 0 to 15.
    ///   - size: pixels of the picture's side, for which lengths are rounded as Jdenticon does.
    static func shapes(ofHash digits: [Int], size: Int) -> [Identicon.Shape] {
        let padding = Int(0.5 + Double(size) * 0.08)
        let cell = (size - 2 * padding) / 4
        let origin = padding + (size - 2 * padding) / 2 - 2 * cell
        let colors = colors(of: digits)
        func shape(
            _ color: Int, turn: Int, at cells: [(x: Int, y: Int)], _ figure: (_ place: Int) -> [JdenticonFigure]
        ) -> Identicon.Shape {
            let borders = cells.enumerated().flatMap { index, place in
                figure(index).map {
                    $0.placed(
                        JdenticonCell(
                            x: Double(origin + place.x * cell), y: Double(origin + place.y * cell), side: Double(cell),
                            turn: (turn + index) % 4),
                        in: Double(size))
                }
            }
            return Identicon.Shape(color: colors[color], borders: borders)
        }
        let side = Double(cell)
        return [
            shape(0, turn: digits[3], at: sides) { _ in JdenticonFigure.outer(digits[2], cell: side) },
            shape(1, turn: digits[5], at: corners) { _ in JdenticonFigure.outer(digits[4], cell: side) },
            shape(2, turn: 0, at: middle) { JdenticonFigure.center(digits[1], cell: side, isFirst: $0 == 0) },
        ].filter { !$0.borders.isEmpty }
    }

    private static let sides = [(1, 0), (2, 0), (2, 3), (1, 3), (0, 1), (3, 1), (3, 2), (0, 2)].map {
        (x: $0.0, y: $0.1)
    }
    private static let corners = [(0, 0), (3, 0), (3, 3), (0, 3)].map { (x: $0.0, y: $0.1) }
    private static let middle = [(1, 1), (2, 1), (2, 2), (1, 2)].map { (x: $0.0, y: $0.1) }

    /// The colours of sides, corners and middle.
    private static func colors(of digits: [Int]) -> [Identicon.Color] {
        let hue = Double(digits.suffix(7).reduce(0) { 16 * $0 + $1 }) / Double(0xfff_ffff)
        func grey(_ share: Double) -> Identicon.Color {
            color(hue, saturation: 0, lightness: 0.3 + share * (0.9 - 0.3))
        }
        func tint(_ share: Double) -> Identicon.Color {
            color(hue, saturation: 0.5, lightness: 0.4 + share * (0.8 - 0.4))
        }
        let theme = [grey(0), tint(0.5), grey(1), tint(1), tint(0)]
        var chosen: [Int] = []
        for place in 0..<3 {
            let index = digits[8 + place] % theme.count
            // Neither the two dark ones together, nor the two light ones.
            let clashes = [[0, 4], [2, 3]].contains { $0.contains(index) && $0.contains(where: chosen.contains) }
            chosen.append(clashes ? 1 : index)
        }
        return chosen.map { theme[$0] }
    }

    /// A colour whose lightness is that which people see: blue looks darker than yellow.
    private static func color(_ hue: Double, saturation: Double, lightness: Double) -> Identicon.Color {
        let middle = [0.55, 0.5, 0.5, 0.46, 0.6, 0.55, 0.55][Int(hue * 6 + 0.5)]
        let corrected = lightness < 0.5 ? lightness * middle * 2 : middle + (lightness - 0.5) * (1 - middle) * 2
        return HSL(hue: hue, saturation: saturation, lightness: corrected).truncated
    }
}
