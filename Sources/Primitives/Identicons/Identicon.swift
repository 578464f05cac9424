/// The picture of a public key, by which people recognise it. It is drawn from shapes, and proves nothing.
package struct Identicon: Hashable, Sendable {
    /// How keys become pictures.
    package enum Style: Hashable, Sendable {
        /// Polkadot's circles.
        case polkadot
        case jdenticon
        /// Ethereum's blocks.
        case blockies
    }

    package var style: Style
    package var key: [UInt8]

    package init(_ style: Style, of key: [UInt8]) { (self.style, self.key) = (style, key) }
}
