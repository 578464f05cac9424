#if os(Linux)
    import ForceFieldTestSupport
    import ForceFieldWire
    import PictureService
    import Pictures
    import QRCode
    import QRFilms
    import TestSupport
    import Testing
    import ZXingReader

    import CLibrary

    @Suite(.serialized) struct PictureWorkerTests {
        private static let list = "raptorq-qr/qr/pictures.json"

        @Test("pictures of cameras are read in the worker as they are here", .enabled(if: SharedData.has(list)))
        func cameraPictures() throws {
            let reader = FallbackReader(SwiftQRReader(), ZXingReader())
            let host = try PictureHost()
            for row in try SharedData.json(Self.list).array.prefix(24) {
                let bytes = try SharedData.bytes("raptorq-qr/qr/\(#require(row["file"].string))")
                let image = try PictureDecoder.decode(bytes)
                let readings = try reader.read(image)
                let other = try PictureHost(.none, program: "PictureTestWorker")
                try other.give(bytes)
                guard case .picture(let picture) = try other.next(0, .search) else {
                    throw WorkerProcess.Unexpected()
                }
                #expect(picture.width == image.width && picture.height == image.height)
                #expect(picture.codes.map(\.content) == readings.map(\.bytes))
                #expect(picture.codes.map(\.corners) == readings.map { $0.corners.flatMap { [$0.x, $0.y] } })
                #expect(picture.codes.map(\.symbol?.version) == readings.map(\.symbol?.version.number))
                let frame = CameraFrame(
                    format: .file, width: image.width, height: image.height, stride: 0, bytes: bytes)
                let seen = try host.worker.call(PictureService.frame, frame)
                try seen.check()
                #expect(Set(seen.codes.map(\.content)).isSubset(of: Set(readings.map(\.bytes))))
            }
        }

        @Test("a film gives the codes of its pictures in order, in pieces of any size", arguments: [7, 4_096, 4 << 20])
        func film(piece: Int) throws {
            let contents = (0..<6).map { [UInt8]("picture \($0)".utf8) }
            let film = try contents.flatMap { try Sample.pgm(Sample.picture($0, width: piece == 7 ? 110 : 200)) }
            let host = try PictureHost()
            try host.give(film, piece: piece)
            #expect(try host.events().map(\.contents) == contents.map { [$0] })
        }

        @Test("a film whose codes are too small for our reader loses none of those that the other one reads")
        func smallCodes() throws {
            let contents = (0..<12).map { [UInt8]("small code \($0)".utf8) }
            let pictures = try contents.map { try Sample.picture($0, width: 80, scale: 1) }
            for picture in pictures {
                #expect(SwiftQRReader().read(picture).isEmpty)
                try #require(try ZXingReader().read(picture).count == 1)
            }
            let host = try PictureHost()
            try host.give(pictures.flatMap(Sample.pgm))
            #expect(try host.events().map(\.contents) == contents.map { [$0] })
        }

        @Test("a second code in the picture is found, whenever it comes", arguments: [0, 1, 6])
        func secondCode(from first: Int) throws {
            let contents: [[UInt8]] = [Array("one".utf8), Array("another".utf8)]
            let codes = try contents.map { try Sample.picture($0) }
            let (width, height) = (codes[0].width, codes[0].height)
            let nothing = [UInt8](repeating: 255, count: width * height)
            var film = Array("YUV4MPEG2 W\(2 * width) H\(height) Cmono\n".utf8)
            for index in 0..<24 {
                film += "FRAME\n".utf8
                for row in stride(from: 0, to: width * height, by: width) {
                    film += codes[0].pixels[row..<row + width]
                    film += (index < first ? nothing : codes[1].pixels)[row..<row + width]
                }
            }
            let host = try PictureHost()
            try host.give(film)
            let seen = try host.events().map { Set($0.contents ?? []) }
            #expect(seen.count == 24 && seen.last == Set(contents))
            // No more than half a second of a camera later.
            #expect(seen.firstIndex(of: Set(contents)).map { $0 <= first + 15 } == true)
        }

        @Test("pictures of a stream are read before it ends")
        func stream() throws {
            let picture = try Sample.picture([1, 2, 3])
            let head = Array("YUV4MPEG2 W200 H200 Cmono\n".utf8)
            let film = head + (0..<3).flatMap { _ in Array("FRAME\n".utf8) + picture.pixels }
            let host = try PictureHost()
            let first = FilmPiece(position: 0, bytes: Array(film[..<50_000]), isLast: false)
            #expect(try host.worker.call(PictureService.append, first).holds(first))
            let asked = NextPicture(index: 0, use: .search)
            let step = try host.worker.call(PictureService.next, asked)
            #expect(try step.checked(for: asked, held: 50_000).contents == [[1, 2, 3]])
            #expect(step.consumed == UInt64(head.count + 6 + 40_000))
            #expect(try host.worker.call(PictureService.next, .init(index: 1, use: .search)).event == .needsBytes)
            let second = FilmPiece(position: 50_000, bytes: Array(film[50_000...]), isLast: true)
            #expect(try host.worker.call(PictureService.append, second).holds(second))
            for index in 1..<3 as Range<UInt64> {
                #expect(
                    try host.worker.call(PictureService.next, .init(index: index, use: .follow)).event.contents
                        == [[1, 2, 3]])
            }
            #expect(try host.worker.call(PictureService.next, .init(index: 3, use: .follow)).event == .ended)
        }

        @Test("grey and YUYV pictures of cameras are read, and ones that are cut off are damaged")
        func cameraFrames() throws {
            let picture = try Sample.picture([9, 8, 7])
            let host = try PictureHost()
            let grey = CameraFrame(format: .grey, width: 200, height: 200, stride: 200, bytes: picture.pixels)
            let yuyv = CameraFrame(
                format: .yuyv, width: 200, height: 200, stride: 400, bytes: picture.pixels.flatMap { [$0, 128] })
            for frame in [grey, yuyv] {
                let seen = try host.worker.call(PictureService.frame, frame)
                try seen.check()
                #expect(seen.codes.map(\.content) == [[9, 8, 7]] && seen.damage == nil)
            }
            for (width, stride) in [(201, 200), (200, 201), (Int.max, 200), (200, Int.max), (0, 200), (200, -1)] {
                var frame = grey
                (frame.width, frame.stride) = (width, stride)
                let seen = try host.worker.call(PictureService.frame, frame)
                try seen.check()
                #expect(seen.codes.isEmpty && seen.damage?.kind == .malformed)
            }
        }

        @Test("damaged pictures are told with their place, and the film goes on where the format allows")
        func damage() throws {
            let png = try QRPicture.png(QRSymbol.encode(bytes: [1]))
            let cut = try PictureHost()
            try cut.give(Array(png.prefix(png.count - 20)))
            guard case .damaged(let damage, isOver: true) = try cut.next(0) else { throw WorkerProcess.Unexpected() }
            #expect(damage.kind == .malformed && damage.format == "PNG")

            let unknown = try PictureHost()
            try unknown.give(Array("no picture at all".utf8))
            guard case .damaged(let reason, isOver: true) = try unknown.next(0) else {
                throw WorkerProcess.Unexpected()
            }
            #expect(reason == PictureDamage(kind: .unknownFormat))

            let large = try PictureHost()
            try large.give(Array("P5 100000 100000 255\n".utf8))
            guard case .damaged(let size, _) = try large.next(0) else { throw WorkerProcess.Unexpected() }
            #expect(size.kind == .tooLarge)
        }

        @Test("a damaged JPEG among others loses itself alone", .enabled(if: SharedData.has(list)))
        func damagedJPEG() throws {
            let good = try SharedData.bytes("raptorq-qr/qr/cam-142-640x480-front-clean.jpg")
            var bad = good
            // The tables of Huffman codes, which libjpeg checks.
            let table = try #require(bad.indices.dropLast().first { bad[$0] == 0xff && bad[$0 + 1] == 0xc4 })
            for index in table + 5..<table + 21 { bad[index] = 0xff }
            let host = try PictureHost()
            try host.give(good + bad + good)
            let events = try host.events(.search)
            guard events.count == 3, case .damaged(let damage, isOver: false) = events[1] else {
                throw WorkerProcess.Unexpected("\(events)")
            }
            #expect(damage.kind == .malformed && damage.format == "JPEG" && !damage.reason.isEmpty)
            #expect(events[0].contents?.count == 1 && events[2].contents == events[0].contents)
        }

        @Test("mauled pictures end neither the worker nor a check", arguments: ["PNG", "GIF", "PGM"])
        func mauled(format: String) throws {
            let symbol = try QRSymbol.encode(bytes: [1, 2, 3])
            let whole: [UInt8]
            switch format {
            case "PNG": whole = QRPicture.png(symbol)
            case "GIF":
                var writer = GIFWriter(QRFilmShape(symbolSize: symbol.size, frameCount: 1))
                whole = writer.head() + writer.frame(symbol) + writer.tail()
            default: whole = try Sample.pgm(Sample.picture([1]))
            }
            let host = try PictureHost()
            for seed in 0..<150 {
                var random = SplitMix64(state: UInt64(seed))
                var film = whole
                for _ in 0..<3 {
                    film[Int.random(in: 0..<film.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let piece = FilmPiece(position: 0, bytes: film, isLast: true)
                #expect(try host.worker.call(PictureService.append, piece).holds(piece))
                let asked = NextPicture(index: 0, use: .follow)
                _ = try host.worker.call(PictureService.next, asked).checked(for: asked, held: UInt64(film.count))
            }
        }

        @Test("a worker that has not this film, or is not at this picture, says so")
        func lost() throws {
            let host = try PictureHost()
            #expect(try host.worker.call(PictureService.next, .init(index: 0, use: .follow)).event == .lost)
            let piece = FilmPiece(position: 5, bytes: [1], isLast: false)
            #expect(try !host.worker.call(PictureService.append, piece).holds(piece))
            try host.give(Sample.pgm(Sample.picture([1])))
            #expect(try host.next(1) == .lost)
            #expect(try host.next(0).contents == [[1]])
        }

        @Test(
            "a picture that kills the worker is lost alone: a new worker skips it and reads the next",
            arguments: [(133, SIGABRT), (134, SIGSEGV)])
        func deadly(width: Int, signal: Int32) throws {
            let film = try [(200, 1), (width, 2), (200, 3)].flatMap { width, content in
                try Sample.pgm(Sample.picture([UInt8(content)], width: width))
            }
            let first = try PictureHost(program: "PictureTestWorker")
            try first.give(film)
            #expect(try first.next(0, .search).contents == [[1]])
            #expect(throws: WorkerProcess.Unexpected.self) { try first.next(1, .search) }
            #expect(try first.worker.end() == .init(128 + signal))

            let second = try PictureHost(program: "PictureTestWorker")
            try second.give(film)
            for index in 0..<2 as Range<UInt64> { #expect(try second.next(index, .skip) == .skipped) }
            #expect(try second.next(2, .search).contents == [[3]])
        }

        @Test("skipping passes over as many pictures as there are")
        func skipping() throws {
            let film = try (0..<4).flatMap { try Sample.pgm(Sample.picture([UInt8($0)])) }
            let host = try PictureHost()
            try host.give(film)
            #expect(try host.events(.skip) == Array(repeating: .skipped, count: 4))
        }
    }
#endif
