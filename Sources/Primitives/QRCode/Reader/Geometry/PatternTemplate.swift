/// A finder or alignment pattern as it is looked for in grey pixels.
struct PatternTemplate: Sendable {
    /// The middles of the modules.
    private let coarse: Points
    /// Four points of each module, so that the peak is no plateau.
    private let fine: Points
    /// Modules from the centre to the middle of the outermost ones.
    private let radius: Double

    /// 7 by 7 modules.
    static let finder = PatternTemplate(radius: 3) { $0 != 2 }
    /// 5 by 5 modules.
    static let alignment = PatternTemplate(radius: 2) { $0 != 1 }

    /// - Parameter isDark: by the distance from the centre.
    private init(radius: Int, _ isDark: (Int) -> Bool) {
        self.radius = Double(radius)
        coarse = Points(radius: radius, [Place(0, 0)], isDark)
        fine = Points(
            radius: radius, [Place(-1, -1) / 3, Place(1, -1) / 3, Place(-1, 1) / 3, Place(1, 1) / 3], isDark)
    }

    /// How well the pattern fits at a pixel: the correlation, 1 at the best.
    struct Fit: Sendable {
        let place: Place
        let correlation: Float
    }

    /// Looks for the best place around an expected one.
    ///
    /// - Parameters:
    ///   - expected: in pixels.
    ///   - right, down: a module's step, in pixels.
    ///   - reach: pixels to all sides.
    /// - Returns: nil if the pattern would lie outside of the picture, or nothing is like it.
    func search(_ image: LumaImage, near expected: Place, right: Place, down: Place, reach: Double) -> Fit? {
        guard let room = room(in: image, right: right, down: down), room.holds(expected) else { return nil }
        let size = max(right.length, down.length)
        return image.pixels.withUnsafeBufferPointer { pixels in
            // Only places in the room are looked at, from which all points lie in the picture.
            let coarse = coarse.offsets(right: right, down: down, width: image.width)
            let start = (x: Int(expected.x), y: Int(expected.y))
            var best = (x: start.x, y: start.y, correlation: -Float.infinity)
            var step = max(1, Int(size / 3))
            let steps = Int(reach) / step
            for y in -steps...steps {
                for x in -steps...steps {
                    let (x, y) = (start.x + x * step, start.y + y * step)
                    guard room.holds(x: x, y: y) else { continue }
                    let correlation = coarse.correlation(pixels, at: y * image.width + x)
                    if correlation > best.correlation { best = (x, y, correlation) }
                }
            }
            guard best.correlation > 0 else { return nil }
            let fine = fine.offsets(right: right, down: down, width: image.width)
            func value(x: Int, y: Int) -> Float {
                room.holds(x: x, y: y) ? fine.correlation(pixels, at: y * image.width + x) : 0
            }
            best.correlation = value(x: best.x, y: best.y)
            step = max(1, step / 2)
            var around: [Float] = []
            for _ in 0..<4 {
                around = [
                    value(x: best.x - step, y: best.y), value(x: best.x + step, y: best.y),
                    value(x: best.x, y: best.y - step),
                    value(x: best.x, y: best.y + step),
                ]
                guard let better = around.max(), better > best.correlation else { break }
                let moves = [(-step, 0), (step, 0), (0, -step), (0, step)]
                let (x, y) = moves[around.firstIndex(of: better) ?? 0]
                best = (best.x + x, best.y + y, better)
            }
            let peak = Place(
                Double(best.x) + 0.5 + Self.vertex(before: around[0], middle: best.correlation, after: around[1])
                    * Double(step),
                Double(best.y) + 0.5 + Self.vertex(before: around[2], middle: best.correlation, after: around[3])
                    * Double(step))
            return Fit(place: peak, correlation: best.correlation)
        }
    }

    /// Where a parabola through three values one apart has its peak, from the middle one.
    private static func vertex(before: Float, middle: Float, after: Float) -> Double {
        let curve = before + after - 2 * middle
        return curve < 0 ? Double(min(max((before - after) / (2 * curve), -0.5), 0.5)) : 0
    }

    /// The part of a picture in which the pattern can stand.
    private struct Room {
        let columns: Range<Int>
        let rows: Range<Int>

        func holds(x: Int, y: Int) -> Bool { columns.contains(x) && rows.contains(y) }

        func holds(_ place: Place) -> Bool {
            place.x >= Double(columns.lowerBound) && place.x < Double(columns.upperBound)
                && place.y >= Double(rows.lowerBound) && place.y < Double(rows.upperBound)
        }
    }

    private func room(in image: LumaImage, right: Place, down: Place) -> Room? {
        // Points lie half a module from the middle of theirs at the most, and are rounded.
        let margin = (radius + 0.5) * (abs(right) + abs(down)) + 1
        guard margin.x < Double(image.width) / 2, margin.y < Double(image.height) / 2 else { return nil }
        let (x, y) = (Int(margin.x) + 1, Int(margin.y) + 1)
        guard 2 * x < image.width, 2 * y < image.height else { return nil }
        return Room(columns: x..<image.width - x, rows: y..<image.height - y)
    }

    /// How well the pattern fits at a place.
    ///
    /// - Returns: nil if it would lie outside of the picture.
    func correlation(_ image: LumaImage, at place: Place, right: Place, down: Place) -> Float? {
        guard let room = room(in: image, right: right, down: down), room.holds(place) else { return nil }
        return image.pixels.withUnsafeBufferPointer {
            coarse.offsets(right: right, down: down, width: image.width)
                .correlation($0, at: Int(place.y) * image.width + Int(place.x))
        }
    }

    /// Points at which the pattern is compared, in modules from its centre.
    private struct Points {
        /// One of each two that lie opposite to each other: the pattern is the same around its centre.
        private var dark: [Place] = []
        private var light: [Place] = []
        /// Whether the centre is a point too; it is dark.
        private var hasCentre = false

        /// - Parameters:
        ///   - parts: points of a module, from its middle.
        ///   - isDark: by the distance of a module from the centre.
        init(radius: Int, _ parts: [Place], _ isDark: (Int) -> Bool) {
            for y in -radius...radius {
                for x in -radius...radius {
                    for place in parts.map({ Place(Double(x), Double(y)) + $0 }) {
                        if place == .zero { hasCentre = true }
                        guard place.y > 0 || (place.y == 0 && place.x > 0) else { continue }
                        if isDark(max(abs(x), abs(y))) { dark.append(place) } else { light.append(place) }
                    }
                }
            }
        }

        func offsets(right: Place, down: Place, width: Int) -> Offsets {
            func offset(_ place: Place) -> Int {
                let pixel = right * place.x + down * place.y
                return nearest(pixel.y) * width + nearest(pixel.x)
            }
            func nearest(_ value: Double) -> Int { value < 0 ? -Int(0.5 - value) : Int(value + 0.5) }
            return Offsets(dark: dark.map(offset), light: light.map(offset), hasCentre: hasCentre)
        }
    }

    /// Pixels relative to the one in the middle.
    private struct Offsets {
        /// One of each two that lie opposite to each other.
        let dark: [Int]
        let light: [Int]
        /// Whether the pixel in the middle counts as well; it is dark.
        let hasCentre: Bool

        func correlation(_ pixels: UnsafeBufferPointer<UInt8>, at middle: Int) -> Float {
            let centre = hasCentre ? Int32(pixels[middle]) : 0
            var (darkSum, lightSum, squares) = (centre, 0 as Int32, centre &* centre)
            for offset in dark {
                let (one, other) = (Int32(pixels[middle &+ offset]), Int32(pixels[middle &- offset]))
                darkSum &+= one &+ other
                squares &+= one &* one &+ other &* other
            }
            for offset in light {
                let (one, other) = (Int32(pixels[middle &+ offset]), Int32(pixels[middle &- offset]))
                lightSum &+= one &+ other
                squares &+= one &* one &+ other &* other
            }
            // The template is 0 and 1: the covariance is that of the difference of both means.
            let (darkCount, lightCount) = (Float(2 * dark.count + (hasCentre ? 1 : 0)), Float(2 * light.count))
            let count = darkCount + lightCount
            let mean = Float(darkSum + lightSum) / count
            let variance = Float(squares) / count - mean * mean
            guard variance > 1 else { return 0 }
            let difference = Float(lightSum) / lightCount - Float(darkSum) / darkCount
            return difference * (darkCount * lightCount).squareRoot() / count / variance.squareRoot()
        }
    }
}
