import TestSupport
import Testing

@testable import Identicons

@Suite("Pictures of keys")
struct IdenticonTests {
    @Test(
        "bytes of any number have a picture within its square, the same each time", arguments: Identicon.Style.allCases)
    func anyBytes(style: Identicon.Style) {
        var random = SplitMix64(state: 7)
        for count in Array(0...70) + [1_000, 100_000] {
            let key = (0..<count).map { _ in random.byte() }
            let shapes = Identicon(style, of: key).shapes
            #expect(!shapes.isEmpty && shapes == Identicon(style, of: key).shapes)
            for border in shapes.flatMap(\.borders) {
                switch border {
                case .circle(let center, let radius):
                    #expect(radius > 0)
                    for side in [center.x - radius, center.y - radius, center.x + radius, center.y + radius] {
                        #expect((-1e-9...1 + 1e-9).contains(side))
                    }
                case .polygon(let points):
                    #expect(points.count >= 3)
                    #expect(points.allSatisfy { (0...1 + 1e-9).contains($0.x) && (0...1 + 1e-9).contains($0.y) })
                }
            }
        }
    }

    @Test("every digit that a key can have has its shapes")
    func digits() {
        for digit in 0..<256 {
            for style in Identicon.Style.allCases {
                #expect(!Identicon(style, of: [UInt8](repeating: UInt8(digit), count: 32)).shapes.isEmpty)
            }
        }
    }

    @Test("keys that differ in one bit have pictures that differ", arguments: [Identicon.Style.polkadot, .blockies])
    func oneBit(style: Identicon.Style) {
        let key = [UInt8](0..<32)
        let picture = Identicon(style, of: key).shapes
        for bit in 0..<256 { #expect(Identicon(style, of: key.flipping(bit: bit)).shapes != picture) }
    }
}
