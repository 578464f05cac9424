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

        /// A part of it; what would be outside is left out.
        package func cropped(x: Int = 0, y: Int = 0, width: Int, height: Int) -> ScreenPicture {
            let columns = min(max(x, 0), self.width)..<min(max(x + width, 0), self.width)
            let rows = min(max(y, 0), self.height)..<min(max(y + height, 0), self.height)
            var part: [UInt8] = []
            for row in rows {
                let start = 3 * (row * self.width + columns.lowerBound)
                part += pixels[start..<start + 3 * columns.count]
            }
            return ScreenPicture(width: columns.count, height: rows.count, pixels: part)
        }

        /// The same with each pixel as a square of some.
        private func enlarged(by factor: Int) -> ScreenPicture {
            var large: [UInt8] = []
            for y in 0..<height {
                var row: [UInt8] = []
                for x in 0..<width {
                    let start = 3 * (y * width + x)
                    for _ in 0..<factor { row += pixels[start..<start + 3] }
                }
                for _ in 0..<factor { large += row }
            }
            return ScreenPicture(width: width * factor, height: height * factor, pixels: large)
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
            let (status, output) = try read(
                by: "zbarimg",
                ["--quiet", "--raw", "--oneshot", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-Sbinary"], in: folder)
            // 4 stands for a picture without codes.
            guard status == 0 || status == 4 else { throw WindowFailure("zbarimg ended with \(status)") }
            return output.isEmpty ? nil : output
        }

        /// Why words on a screen cannot be read from its picture; nil where they can.
        package static let readerObstacle: String? =
            Desktop.findTool("tesseract") == nil ? "tesseract missing: apt-get install tesseract-ocr" : nil

        /// The lines of English in it as Tesseract reads them, which guesses.
        package func lines(in folder: String, enlargedBy factor: Int) throws -> [String] {
            let (status, output) = try enlarged(by: factor).read(
                by: "tesseract", ["--psm", "6", "-l", "eng"], behind: ["-"], in: folder)
            guard status == 0 else { throw WindowFailure("tesseract ended with \(status)") }
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        private func read(
            by program: String, _ arguments: [String], behind: [String] = [], in folder: String
        ) throws -> (status: Int32, output: [UInt8]) {
            let path = "\(folder)/screen-\(UUID().uuidString).png"
            try Data(png).write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            return try ChildOfDesktop(program, arguments + [path] + behind).outcome()
        }
    }
#endif
