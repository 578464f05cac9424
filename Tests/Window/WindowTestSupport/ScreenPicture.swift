#if canImport(CGIO)
    import CZlib
    import Foundation

    /// What stands on a screen.
    package struct ScreenPicture: Sendable {
        package let width, height: Int
        /// Red, green and blue of each pixel, row by row.
        package let pixels: [UInt8]

        /// Takes a dump of X's: the head, a table of colours, and rows of 32 bits a pixel, blue first.
        init(framebuffer bytes: [UInt8]) throws {
            func word(_ index: Int) -> Int {
                bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            guard bytes.count > 100, word(1) == 7, word(11) == 32, word(7) == 0 else {
                throw WindowFailure("the framebuffer has a form that is not read")
            }
            let (width, height, stride) = (word(4), word(5), word(12))
            let start = word(0) + 12 * word(19)
            guard start + stride * height <= bytes.count else { throw WindowFailure("the framebuffer is cut off") }
            (self.width, self.height) = (width, height)
            pixels = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { pixels, filled in
                for y in 0..<height {
                    for x in 0..<width {
                        for part in 0..<3 {
                            pixels[3 * (y * width + x) + part] = bytes[start + y * stride + 4 * x + 2 - part]
                        }
                    }
                }
                filled = 3 * width * height
            }
        }

        private init(width: Int, height: Int, pixels: [UInt8]) {
            (self.width, self.height, self.pixels) = (width, height, pixels)
        }

        /// A part of it, at the top left.
        package func cropped(width: Int, height: Int) -> ScreenPicture {
            let (columns, rows) = (min(width, self.width), min(height, self.height))
            var part: [UInt8] = []
            for y in 0..<rows { part += pixels[3 * y * self.width..<3 * (y * self.width + columns)] }
            return ScreenPicture(width: columns, height: rows, pixels: part)
        }

        /// Whether all of it has one colour.
        package var isEmpty: Bool {
            stride(from: 3, to: pixels.count, by: 3).allSatisfy { pixels[$0..<$0 + 3] == pixels[0..<3] }
        }

        /// The picture as PNG.
        package var png: [UInt8] {
            func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
                let body = Array(name.utf8) + content
                let sum = crc32(0, body, uInt(body.count))
                return big(content.count) + body + big(Int(sum))
            }
            func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            var rows: [UInt8] = []
            for y in 0..<height {
                // No filter.
                rows.append(0)
                rows += pixels[3 * y * width..<3 * (y + 1) * width]
            }
            var packed = [UInt8](repeating: 0, count: Int(compressBound(uLong(rows.count))))
            var count = uLongf(packed.count)
            compress2(&packed, &count, rows, uLong(rows.count), 6)
            return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
                + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
                + chunk("IDAT", Array(packed.prefix(Int(count))))
                + chunk("IEND", [])
        }

        /// Why codes on a screen cannot be read by a program that is not ours; nil where they can.
        package static let decoderObstacle: String? =
            Desktop.findTool("zbarimg") == nil ? "zbarimg missing: apt-get install zbar-tools" : nil

        /// The content of a QR code in it, read by zbar; nil where there is none.
        package func code(in folder: String) throws -> [UInt8]? {
            let path = "\(folder)/screen-\(UUID().uuidString).png"
            try Data(png).write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let (status, output) = try ChildOfDesktop(
                "zbarimg",
                ["--quiet", "--raw", "--oneshot", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-Sbinary", path]
            ).outcome()
            // 4 stands for a picture without codes.
            guard status == 0 || status == 4 else { throw WindowFailure("zbarimg ended with \(status)") }
            return output.isEmpty ? nil : output
        }
    }
#endif
