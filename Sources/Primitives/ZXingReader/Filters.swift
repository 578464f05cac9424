import QRCode

extension LumaImage {
    /// The picture that `placement` describes, interpolated linearly; beyond the edge the edge goes on.
    func resampled(_ placement: Placement) -> LumaImage {
        var output: [UInt8] = []
        output.reserveCapacity(placement.width * placement.height)
        for y in 0..<placement.height {
            for x in 0..<placement.width {
                let place = placement.original(Placement.Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                output.append(interpolated(x: place.x - 0.5, y: place.y - 0.5))
            }
        }
        // One pixel was appended for each place, so that the size fits.
        return LumaImage(width: placement.width, height: placement.height, pixels: output) ?? self
    }

    /// The value at a place counted from the centre of the first pixel.
    private func interpolated(x: Double, y: Double) -> UInt8 {
        let (x, y) = (min(max(x, 0), Double(width - 1)), min(max(y, 0), Double(height - 1)))
        let (left, top) = (Int(x), Int(y) * width)
        let (right, bottom) = (min(left + 1, width - 1), min(Int(y) + 1, height - 1) * width)
        let (partX, partY) = (x - Double(left), y - Double(Int(y)))
        let upper = Double(pixels[top + left]) * (1 - partX) + Double(pixels[top + right]) * partX
        let lower = Double(pixels[bottom + left]) * (1 - partX) + Double(pixels[bottom + right]) * partX
        return UInt8(upper * (1 - partY) + lower * partY + 0.5)
    }

    /// An unsharp mask: what differs from the mean of the neighbourhood differs three times as much.
    var sharpened: LumaImage {
        let radius = 4
        let area = (2 * radius + 1) * (2 * radius + 1)
        func row(_ y: Int) -> Int { min(max(y, 0), height - 1) * width }
        func column(_ x: Int) -> Int { min(max(x, 0), width - 1) }
        // Sums over the rows around the current one, for each column.
        var sums = (0..<width).map { x in (-radius...radius).reduce(0) { $0 + Int(pixels[row($1) + x]) } }
        var output: [UInt8] = []
        output.reserveCapacity(width * height)
        for y in 0..<height {
            var sum = (-radius...radius).reduce(0) { $0 + sums[column($1)] }
            for x in 0..<width {
                let value = 3 * Int(pixels[row(y) + x]) - 2 * sum / area
                output.append(UInt8(min(max(value, 0), 255)))
                sum += sums[column(x + radius + 1)] - sums[column(x - radius)]
            }
            let (entering, leaving) = (row(y + radius + 1), row(y - radius))
            for x in 0..<width { sums[x] += Int(pixels[entering + x]) - Int(pixels[leaving + x]) }
        }
        // One pixel was appended for each of this picture's.
        return LumaImage(width: width, height: height, pixels: output) ?? self
    }
}
