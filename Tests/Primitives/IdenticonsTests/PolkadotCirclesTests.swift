import Testing
import TextForms

@testable import Identicons

@Suite("Polkadot's circles")
struct PolkadotCirclesTests {
    static let alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"

    /// Colours picked from the pictures on polkadot.js.org, as `paritytech/polkadot-identicon-rust` has them.
    @Test(
        "the colours of known keys are those of Polkadot's site",
        arguments: [
            (
                alice,
                """
                a5e39c 3c2811 b844ca 8b2758 8744ca e19ce3 8b2758 8744ca b844ca a5e39c
                3c2811 a2ca44 278b8b bbca44 263c11 278b8b bbca44 a2ca44 3d278b
                """
            ),
            (
                bob,
                """
                3a783d c8d6a9 d6a9b6 243419 7f5db1 d6a9b6 3a783d c8d6a9 34191e 71b15d
                3a7872 3a786c 765db1 193427 3a786c 71b15d 3a7872 34191e 211934
                """
            ),
        ])
    func colours(key: String, colors: String) throws {
        let found = PolkadotCircles.colors(of: try #require(Hex.decode(key))).map(\.digits)
        #expect(found == colors.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Places of `test_pics/alice.svg` there: a circle of radius 10 around 0, 0.
    @Test("the circles of a known picture stand where they do there")
    func places() throws {
        let places: [(Double, Double)] = [
            (0, 0), (0, -7.5), (0, -3.75), (-3.2475953, -5.625), (-6.4951906, -3.75), (-3.2475953, -1.875),
            (-6.4951906, 0), (-6.4951906, 3.75), (-3.2475953, 1.875), (-3.2475953, 5.625), (0, 7.5), (0, 3.75),
            (3.2475953, 5.625), (6.4951906, 3.75), (3.2475953, 1.875), (6.4951906, 0), (6.4951906, -3.75),
            (3.2475953, -1.875), (3.2475953, -5.625), (0, 0),
        ]
        let shapes = Identicon(.polkadot, of: try #require(Hex.decode(Self.alice))).shapes
        #expect(shapes.count == places.count && shapes[0].color.digits == "eeeeee")
        for (index, (shape, place)) in zip(shapes, places).enumerated() {
            guard case .circle(let center, let radius) = try #require(shape.borders.first) else {
                Issue.record("circle \(index) is none")
                continue
            }
            #expect(abs(20 * (center.x - 0.5) - place.0) < 1e-6 && abs(20 * (center.y - 0.5) - place.1) < 1e-6)
            #expect(abs(20 * radius - (index == 0 ? 10 : 1.5625)) < 1e-9)
        }
    }
}

extension Identicon.Color {
    var digits: String { Hex.encode([red, green, blue]) }
}
