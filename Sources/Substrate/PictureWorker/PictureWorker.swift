#if os(Linux)
    import ForceFieldWire
    import ForceFieldWorker
    import PictureService
    import QRCode
    import ZXingReader
    import Zstandard

    /// The worker in which pictures from outside are decoded and searched.
    package enum PictureWorker {
        /// - Parameter reader: searches whole pictures.
        package static func service(
            reader: any QRReader = FallbackReader(SwiftQRReader(), ZXingReader())
        ) -> Service {
            let film = FilmSession(reader: reader)
            let camera = CameraSession(reader: reader)
            var service = Service()
            service.maxFrameBytes = PictureService.maxFrameBytes
            service.handle(PictureService.append) { piece, _ in await film.append(piece) }
            service.handle(PictureService.next) { asked, _ in await film.next(asked) }
            service.handle(PictureService.frame) { frame, _ in await camera.read(frame) }
            service.handle(PictureService.expand) { packed, _ in expand(packed) }
            service.handle(PictureService.escape) { escape, _ in EscapeOutcome(of: escape) }
            return service
        }

        private static func expand(_ packed: PackedBytes) -> Expansion {
            do throws(ZstdFrameError) {
                return .expanded(
                    try ZstdFrame.expand(packed.frame, to: packed.byteCount, limit: PackedBytes.byteLimit))
            } catch {
                return .refused("\(error)")
            }
        }
    }
#endif
