/// The picture of a public key, by which people recognise it. It is drawn from shapes, and proves nothing: keys whose
/// pictures look alike are found by trying.
package struct Identicon: Hashable, Sendable {
    /// How keys become pictures.
    package enum Style: Hashable, Sendable, CaseIterable {
        /// Polkadot's nineteen circles.
        case polkadot
        /// Jdenticon's, of the key's hexadecimal digits.
        case jdenticon
        /// Ethereum's blocks, of the key's hexadecimal digits in lower case behind 0x.
        case blockies
    }

    package var style: Style
    /// Bytes of any number; a key or an account's identifier.
    package var key: [UInt8]

    package init(_ style: Style, of key: [UInt8]) { (self.style, self.key) = (style, key) }
}

extension Identicon {
    /// The picture, from the shape below all others to the one above them, in a square whose sides are 1 long. What no
    /// shape covers is clear.
    package var shapes: [Shape] {
        switch style {
        case .polkadot: PolkadotCircles.shapes(of: key)
        case .jdenticon: Jdenticon.shapes(of: key)
        case .blockies: Blockies.shapes(of: key)
        }
    }

    /// An area of one colour.
    package struct Shape: Hashable, Sendable {
        package var color: Color
        /// The area's borders. What lies within an even number of them is outside (the rule `even-odd`).
        package var borders: [Border]
    }

    /// The outline of a shape: a circle or a polygon.
    package enum Border: Hashable, Sendable {
        case circle(center: Point, radius: Double)
        case polygon([Point])
    }

    /// A place in the square: 0 and 0 are its top left corner.
    package struct Point: Hashable, Sendable {
        package var x, y: Double
        package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// A colour of a screen, without a part that shines through.
    package struct Color: Hashable, Sendable {
        package var red, green, blue: UInt8
        package init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
    }
}

extension Identicon.Border {
    /// Makes a rectangle whose sides are parallel to the axes.
    static func rectangle(x: Double, y: Double, width: Double, height: Double) -> Self {
        .polygon([
            .init(x: x, y: y), .init(x: x + width, y: y), .init(x: x + width, y: y + height),
            .init(x: x, y: y + height),
        ])
    }
}
