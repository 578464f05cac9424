#if os(Linux)
    import ForceFieldTestSupport
    import ForceFieldWire
    import PictureService
    import QRCode

    /// What a program does that has a picture from outside: one worker for a film.
    final class PictureHost {
        let worker: WorkerProcess
        private var held: UInt64 = 0

        init(_ walls: Walls = .forceField, program: String = "casemate-worker") throws {
            let walls = Walls.possible.contains(walls) ? walls : .none
            // The product's worker serves nobody without walls.
            worker = try WorkerProcess(
                walls, role: "casemate-worker", program: walls == .none ? "PictureTestWorker" : program,
                terms: {
                    $0.interfaceHash = try? PictureService.interface().hash
                    $0.maxFrame = PictureService.maxFrameBytes
                },
                policy: {
                    $0.memory_bytes = PictureService.memoryBytes
                    // No capability: not even descriptors.
                    $0.flags = 0
                })
            try worker.welcome()
        }

        func give(_ film: [UInt8], piece: Int = PictureService.pieceLimit) throws {
            repeat {
                let bytes = Array(film[Int(held)...].prefix(piece))
                let part = FilmPiece(position: held, bytes: bytes, isLast: Int(held) + bytes.count == film.count)
                let position = try worker.call(PictureService.append, part)
                guard position.holds(part) else { throw WorkerProcess.Unexpected("the film is lost") }
                held += UInt64(bytes.count)
            } while Int(held) < film.count
        }

        func next(_ index: UInt64, _ use: NextPicture.Use = .follow) throws -> FilmEvent {
            let asked = NextPicture(index: index, use: use)
            return try worker.call(PictureService.next, asked).checked(for: asked, held: held)
        }

        /// What is told of the film's pictures, to its end.
        func events(_ use: NextPicture.Use = .follow) throws -> [FilmEvent] {
            var events: [FilmEvent] = []
            while true {
                let event = try next(UInt64(events.count), use)
                if event == .ended { return events }
                events.append(event)
                if case .damaged(_, isOver: true) = event { return events }
            }
        }
    }

    extension FilmEvent {
        var contents: [[UInt8]]? {
            guard case .picture(let picture) = self else { return nil }
            return picture.codes.map(\.content)
        }
    }

    enum Sample {
        /// A picture with a code in it, `width` pixels wide, in modules of `scale` pixels.
        static func picture(_ content: [UInt8], width: Int = 200, scale: Int = 3) throws -> LumaImage {
            let symbol = try QRSymbol.encode(bytes: content)
            var pixels = [UInt8](repeating: 255, count: width * width)
            for y in 0..<symbol.size {
                for x in 0..<symbol.size where symbol[x, y] {
                    let corner = (20 + scale * y) * width + 20 + scale * x
                    for dy in 0..<scale { for dx in 0..<scale { pixels[corner + dy * width + dx] = 0 } }
                }
            }
            guard let image = LumaImage(width: width, height: width, pixels: pixels) else { throw SampleError() }
            return image
        }

        struct SampleError: Error {}

        static func pgm(_ image: LumaImage) -> [UInt8] {
            Array("P5 \(image.width) \(image.height) 255\n".utf8) + image.pixels
        }
    }
#endif
