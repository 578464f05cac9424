#if os(Linux)
    import ForceFieldWire
    import ForceFieldWorker
    import PictureService
    import QRCode
    import ZXingReader

    /// The worker in which pictures from outside are decoded and searched.
    public enum PictureWorker {
        /// - Parameter reader: searches whole pictures.
        public static func service(
            reader: any QRReader = FallbackReader(SwiftQRReader(), ZXingReader())
        ) -> Service {
            let desk = FilmDesk(reader: reader)
            let camera = CameraDesk(reader: reader)
            var service = Service()
            service.maxFrameBytes = PictureService.maxFrameBytes
            service.handle(PictureService.append) { piece, _ in await desk.append(piece) }
            service.handle(PictureService.next) { asked, _ in await desk.next(asked) }
            service.handle(PictureService.frame) { frame, _ in await camera.read(frame) }
            return service
        }
    }
#endif
