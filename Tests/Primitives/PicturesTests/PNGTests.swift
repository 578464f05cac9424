import Pictures
import QRCode
import Testing

@Suite("PNG files")
struct PNGTests {
    /// Colour type, bit depth.
    static let kinds: [(UInt8, Int)] = [
        (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16),
        (6, 8), (6, 16),
    ]

    private static func sample(_ colourType: UInt8, _ depth: Int) -> PNGSample {
        var sample = PNGSample(width: 11, height: 9, colourType: colourType, depth: depth, samples: [])
        var state = UInt64(colourType) * 100 + UInt64(depth)
        sample.samples = (0..<11 * 9 * sample.samplesPerPixel).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) & ((1 << depth) - 1)
        }
        if colourType == 3 { sample.palette = (0..<3 << depth).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) } }
        return sample
    }

    /// What the pixels must be, by the formulas of the specification in real numbers.
    private static func expected(_ sample: PNGSample) -> [Double] {
        let scale = 255 / Double((1 << sample.depth) - 1)
        return (0..<sample.width * sample.height).map { pixel in
            let values = (0..<sample.samplesPerPixel).map { sample.samples[pixel * sample.samplesPerPixel + $0] }
            var colour: [Double]
            var alpha = 255.0
            switch sample.colourType {
            case 3:
                colour = (0..<3).map { Double(sample.palette[3 * values[0] + $0]) }
                if values[0] < sample.transparency.count { alpha = Double(sample.transparency[values[0]]) }
            case 0, 4: colour = [Double](repeating: Double(values[0]) * scale, count: 3)
            default: colour = values.prefix(3).map { Double($0) * scale }
            }
            if sample.colourType >= 4 { alpha = Double(values.last!) * scale }
            let key = stride(from: 0, to: sample.transparency.count, by: 2)
            if sample.colourType == 0 || sample.colourType == 2, !sample.transparency.isEmpty,
                key.map({ Int(sample.transparency[$0]) << 8 | Int(sample.transparency[$0 + 1]) }) == values
            {
                alpha = 0
            }
            let luma = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
            return (luma * alpha + 255 * (255 - alpha)) / 255
        }
    }

    private static func isSame(_ image: LumaImage, _ sample: PNGSample) -> Bool {
        image.width == sample.width && image.height == sample.height
            && zip(image.pixels, expected(sample)).allSatisfy { abs(Double($0) - $1) < 2.5 }
    }

    @Test("every colour type and depth, plain and interlaced, with every filter", arguments: kinds)
    func everyKind(colourType: UInt8, depth: Int) throws {
        for filter in 0...4 as ClosedRange<UInt8> {
            for isInterlaced in [false, true] {
                var sample = Self.sample(colourType, depth)
                (sample.filter, sample.isInterlaced) = (filter, isInterlaced)
                #expect(Self.isSame(try PictureDecoder.decode(sample.file()), sample), "filter \(filter)")
            }
        }
    }

    @Test("pixels cut into many chunks, some of them empty, and interlaced pictures with empty passes")
    func shapes() throws {
        let sample = Self.sample(2, 8)
        #expect(Self.isSame(try PictureDecoder.decode(sample.file(parts: 1000)), sample))
        for (width, height) in [(1, 1), (1, 9), (4, 1), (5, 3), (2, 2)] {
            var small = PNGSample(
                width: width, height: height, colourType: 0, depth: 8, isInterlaced: true, samples: [])
            small.samples = (0..<width * height).map { $0 * 5 }
            #expect(try PictureDecoder.decode(small.file()).pixels.map(Int.init) == small.samples)
        }
    }

    @Test("what is transparent is white: by alpha, by palette entry, by colour")
    func transparency() throws {
        var palette = Self.sample(3, 2)
        palette.transparency = [0, 128]
        #expect(Self.isSame(try PictureDecoder.decode(palette.file()), palette))
        for (colourType, depth) in [(0, 2), (0, 16), (2, 8), (2, 16)] as [(UInt8, Int)] {
            var sample = Self.sample(colourType, depth)
            sample.transparency = sample.samples.prefix(sample.samplesPerPixel).flatMap {
                [UInt8($0 >> 8), UInt8($0 & 0xff)]
            }
            let image = try PictureDecoder.decode(sample.file())
            #expect(Self.isSame(image, sample) && image.pixels[0] == 255)
        }
    }

    @Test("what breaks a rule is refused, and the message says what")
    func refusals() {
        let grey = Self.sample(0, 8)
        let (signature, header) = (PNGSample.signature, PNGSample.chunk("IHDR", grey.header))
        let data = PNGSample.chunk("IDAT", PNGSample.stored(grey.scanlines))
        let end = PNGSample.chunk("IEND", [])
        let colours = PNGSample.chunk("PLTE", [0, 0, 0])
        let cases: [(String, [UInt8])] = [
            ("not the first", signature + data + header + end),
            ("there are two", signature + header + header + data + end),
            ("no IDAT", signature + header + end),
            ("follow each other", signature + header + data + PNGSample.chunk("tEXt", []) + data + end),
            ("inside a chunk", signature + header + data),
            ("grey picture has none", signature + header + colours + data + end),
            ("not empty", signature + header + data + PNGSample.chunk("IEND", [1])),
            ("four letters", signature + header + PNGSample.chunk("ID T", []) + data + end),
            ("12 bytes", signature + PNGSample.chunk("IHDR", Array(grey.header.dropLast())) + data + end),
        ]
        for (reason, bytes) in cases { expectRefusal(bytes, naming: reason) }
        #expect(throws: PictureError.unsupported(format: "PNG", what: "a NEWS chunk")) {
            try PictureDecoder.decode(signature + header + PNGSample.chunk("NEWS", []) + data + end)
        }
    }

    @Test("pixels that are too few, too many, mauled, or of no colour are refused")
    func pixels() {
        var sample = Self.sample(0, 8)
        let (signature, header) = (PNGSample.signature, PNGSample.chunk("IHDR", sample.header))
        func file(_ data: [UInt8]) -> [UInt8] {
            signature + header + PNGSample.chunk("IDAT", data) + PNGSample.chunk("IEND", [])
        }
        expectRefusal(file(PNGSample.stored(sample.scanlines.dropLast())), naming: "end before the last row")
        expectRefusal(file(PNGSample.stored(sample.scanlines + [0])), naming: "go on after the last row")
        expectRefusal(file(PNGSample.stored(sample.scanlines).dropLast()), naming: "end too early")
        expectRefusal(file([0x78, 0x01, 0xff]), naming: "zlib refuses")
        expectRefusal(file([]), naming: "end too early")
        sample.filter = 5
        expectRefusal(sample.file(), naming: "filter type 5")
        var palette = Self.sample(3, 8)
        palette.palette.removeLast(3)
        palette.samples[5] = 255
        expectRefusal(palette.file(), naming: "the palette lacks")
    }

    @Test("heads that cannot be are refused before anything is allocated")
    func heads() {
        for (depth, colourType) in [(3, 0), (16, 3), (4, 2), (8, 1), (8, 7), (0, 0), (1, 6)] as [(Int, UInt8)] {
            var sample = Self.sample(0, 8)
            let scanlines = PNGSample.chunk("IDAT", PNGSample.stored(sample.scanlines))
            (sample.depth, sample.colourType) = (depth, colourType)
            let head = PNGSample.signature + PNGSample.chunk("IHDR", sample.header)
            #expect(throws: PictureError.self) { try PictureDecoder.decode(head + scanlines) }
        }
        let sides = [(0, 1), (1, 0), (65536, 1), (1, 65536), (0x7fff_ffff, 0x7fff_ffff), (0xffff_ffff, 1)]
        for (width, height) in sides + [(65535, 65535)] {
            let sample = PNGSample(width: width, height: height, colourType: 6, depth: 16, samples: [])
            let head = PNGSample.signature + PNGSample.chunk("IHDR", sample.header)
            #expect(throws: PictureError.self) { try PictureDecoder.decode(head + PNGSample.chunk("IEND", [])) }
        }
    }

    @Test("every cut and every flipped bit is refused", arguments: [false, true])
    func mauled(isInterlaced: Bool) throws {
        var sample = Self.sample(3, 4)
        (sample.isInterlaced, sample.filter) = (isInterlaced, 4)
        let whole = sample.file(parts: 3)
        for count in 0..<whole.count {
            #expect(throws: PictureError.self) { try PictureDecoder.decode(Array(whole[..<count])) }
        }
        for bit in 0..<whole.count * 8 {
            var mauled = whole
            mauled[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PictureError.self) { try PictureDecoder.decode(mauled) }
        }
    }

    @Test("files whose checksums are right but whose pixels are random never trap")
    func randomPixels() {
        var state: UInt64 = 7
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for round in 0..<2000 {
            let (colourType, depth) = Self.kinds[round % Self.kinds.count]
            var sample = Self.sample(colourType, depth)
            (sample.width, sample.isInterlaced) = (1 + random(20), random(2) == 0)
            let noise = (0..<random(900)).map { _ in UInt8(random(6)) }
            let data = random(4) == 0 ? noise : PNGSample.stored(noise)
            let palette = colourType == 3 ? PNGSample.chunk("PLTE", [1, 2, 3]) : []
            _ = try? PictureDecoder.decode(
                PNGSample.signature + PNGSample.chunk("IHDR", sample.header) + palette
                    + PNGSample.chunk("IDAT", data) + PNGSample.chunk("IEND", []))
        }
    }

    private func expectRefusal(_ bytes: [UInt8], naming reason: String) {
        let error = #expect(throws: PictureError.self) { try PictureDecoder.decode(bytes) }
        #expect(error.map { "\($0)".contains(reason) } ?? false, "\(reason) in \(String(describing: error))")
    }
}
