import CSodium

/// Nineteen circles in a circle, coloured by the BLAKE2b hash of a key.
///
/// A byte of the hash gives a colour; one of seven schemes, chosen by the hash, says which circle has which of the
/// colours, and three bytes turn the scheme. The last circle is the one in the middle.
///
/// Source: `paritytech/polkadot-identicon-rust`, after `paritytech/oo7`.
enum PolkadotCircles {
    /// Which colour each circle has, and how often the scheme is chosen.
    private struct Scheme {
        var frequency: Int
        var colors: [Int]
    }

    private static let schemes = [
        // Target, cube, quazar, flower, cyclic, and the two mirrors.
        Scheme(frequency: 1, colors: [0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 1]),
        Scheme(frequency: 20, colors: [0, 1, 3, 2, 4, 3, 0, 1, 3, 2, 4, 3, 0, 1, 3, 2, 4, 3, 5]),
        Scheme(frequency: 16, colors: [1, 2, 3, 1, 2, 4, 5, 5, 4, 1, 2, 3, 1, 2, 4, 5, 5, 4, 0]),
        Scheme(frequency: 32, colors: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3]),
        Scheme(frequency: 32, colors: [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6]),
        Scheme(frequency: 128, colors: [0, 1, 2, 3, 4, 5, 3, 4, 2, 0, 1, 6, 7, 8, 9, 7, 8, 6, 10]),
        Scheme(frequency: 128, colors: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 8, 6, 7, 5, 3, 4, 2, 11]),
    ]
    private static let frequencies = schemes.reduce(0) { $0 + $1.frequency }

    /// The large circle, and small ones that are not to be seen.
    private static let ground = Identicon.Color(red: 0xee, green: 0xee, blue: 0xee)
    private static let dark = Identicon.Color(red: 4, green: 4, blue: 4)

    static func shapes(of key: [UInt8]) -> [Identicon.Shape] {
        let ground = Identicon.Shape(color: ground, borders: [.circle(center: .init(x: 0.5, y: 0.5), radius: 0.5)])
        return [ground]
            + zip(colors(of: key), centers).map { color, center in
                Identicon.Shape(color: color, borders: [.circle(center: center, radius: 5 / 64)])
            }
    }

    /// The colours of the nineteen circles.
    static func colors(of key: [UInt8]) -> [Identicon.Color] {
        let id = zip(hash(key), hash([UInt8](repeating: 0, count: 32))).map { $0 &- $1 }
        let saturation = Double((Int(id[29]) * 70 / 256 + 26) % 80 + 30) / 100
        let palette = id.enumerated().map { index, byte in
            color(byte &+ UInt8(truncatingIfNeeded: index % 28 * 58), saturation: saturation)
        }
        let scheme = scheme((Int(id[30]) + 256 * Int(id[31])) % frequencies)
        let turn = Int(id[28] % 6) * 3
        return (0..<19).map { circle in palette[scheme.colors[circle < 18 ? (circle + turn) % 18 : 18]] }
    }

    private static func color(_ byte: UInt8, saturation: Double) -> Identicon.Color {
        if byte == 0 { return dark }
        if byte == 255 { return ground }
        let lightness = [0.53, 0.15, 0.35, 0.75][Int(byte / 64)]
        // Whole degrees.
        let hue = Double(Int(byte % 64) * 360 / 64) / 360
        return HSL(hue: hue, saturation: saturation, lightness: lightness).rounded
    }

    private static func scheme(_ number: Int) -> Scheme {
        var sum = 0
        for scheme in schemes {
            sum += scheme.frequency
            if number < sum { return scheme }
        }
        return schemes[schemes.count - 1]
    }

    /// Where the circles stand: six rays from the outside in, each with the neighbour between it and the next one, and
    /// the middle.
    private static let centers: [Identicon.Point] = {
        let side = 3.0 / 16
        let height = side * 3.0.squareRoot() / 2
        let steps: [(x: Double, y: Double)] = [
            (0, -2), (0, -1), (-1, -1.5), (-2, -1), (-1, -0.5), (-2, 0), (-2, 1), (-1, 0.5), (-1, 1.5), (0, 2), (0, 1),
            (1, 1.5), (2, 1), (1, 0.5), (2, 0), (2, -1), (1, -0.5), (1, -1.5), (0, 0),
        ]
        return steps.map { Identicon.Point(x: 0.5 + $0.x * height, y: 0.5 + $0.y * side) }
    }()

    /// BLAKE2b of 64 bytes.
    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 64)
        let result = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(result == 0, "the sizes above are within the library's")
        return hash
    }
}
