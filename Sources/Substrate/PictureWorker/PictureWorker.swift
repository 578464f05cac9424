#if os(Linux)
    import ForceFieldWire
    import ForceFieldWorker
    import PictureService
    import QRCode
    import ZXingReader

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
            return service
        }
    }
#endif
