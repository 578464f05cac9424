import Foundation
import TestSupport

@testable import QRCode

/// What a camera makes of a symbol: the same in every run.
struct Scene: Sendable, CustomStringConvertible {
    var name = ""
    var width = 640
    var height = 480
    /// Where the symbol's corners lie, in pixels: top left, top right, bottom right, bottom left. Three modules around
    /// are light.
    var corners: [Place]
    /// How often each pixel is averaged with those around it.
    var blur = 0
    /// Grey levels that a pixel may be off.
    var noise = 0
    var dark = 30.0
    var light = 220.0
    /// Grey levels that are taken from one side of the picture to the other.
    var shadow = 0.0
    /// The distortion of the lens: the part of its distance that a place at the picture's corner is moved inwards.
    var distortion = 0.0
    var isInverted = false
    var seed: UInt64 = 1

    var description: String { name }

    /// Seen from the front: `module` pixels for each, turned about the picture's centre.
    static func front(_ version: QRVersion, module: Double, degrees: Double = 0) -> Scene {
        let half = Double(version.size) / 2 * module
        let angle = degrees * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        var scene = Scene(corners: [])
        scene.corners = [(-half, -half), (half, -half), (half, half), (-half, half)].map { x, y in
            Place(320 + x * cosine - y * sine, 240 + x * sine + y * cosine)
        }
        return scene
    }

    func with(_ change: (inout Scene) -> Void) -> Scene {
        var scene = self
        change(&scene)
        return scene
    }

    func picture(_ symbol: QRSymbol, on background: LumaImage? = nil) throws -> LumaImage {
        let side = Double(symbol.size)
        guard
            let toModules = Homography(
                corners, to: [Place(0, 0), Place(side, 0), Place(side, side), Place(0, side)])
        else { throw QRReaderError.backend("the scene is folded") }
        var random = SplitMix64(state: seed)
        var values = background.map { $0.pixels.map(Double.init) } ?? [Double](repeating: 110, count: width * height)
        let centre = Place(Double(width), Double(height)) / 2
        for index in values.indices {
            var sum = 0.0
            for part in [Place(0.25, 0.25), Place(0.75, 0.25), Place(0.25, 0.75), Place(0.75, 0.75)] {
                var place = Place(Double(index % width), Double(index / width)) + part
                let offset = place - centre
                place = centre + offset * (1 + distortion * offset.dot(offset) / centre.dot(centre))
                let module = toModules(place)
                let isNear = module.x > -3 && module.y > -3 && module.x < side + 3 && module.y < side + 3
                let isDark = isNear && symbol[Int(module.x.rounded(.down)), Int(module.y.rounded(.down))]
                sum += isNear ? (isDark == isInverted ? light : dark) : values[index]
            }
            values[index] = sum / 4 - shadow * Double(index % width) / Double(width)
        }
        for _ in 0..<blur { values = blurred(values) }
        let pixels = values.map { value in
            let off = noise == 0 ? 0 : Double(Int(random.next() % UInt64(2 * noise + 1)) - noise)
            return UInt8(min(max(value + off, 0), 255))
        }
        return try LumaImage(width: width, height: height, pixels: pixels).orThrow()
    }

    private func blurred(_ values: [Double]) -> [Double] {
        values.indices.map { index in
            let (x, y) = (index % width, index / width)
            guard x > 0, y > 0, x < width - 1, y < height - 1 else { return values[index] }
            let cross = values[index - 1] + values[index + 1] + values[index - width] + values[index + width]
            return (4 * values[index] + cross) / 8
        }
    }
}

extension LumaImage? {
    fileprivate func orThrow() throws -> LumaImage {
        guard let self else { throw QRReaderError.backend("the scene is empty") }
        return self
    }
}
