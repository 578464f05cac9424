import PictureService

/// The pictures of a camera, for ever.
struct CameraSource: LinkSource {
    private let camera: Camera
    private let reader: PictureReader
    private let onFrame: ((CameraFrame) -> Void)?
    private var pictures: UInt64 = 0
    private var losses = 0
    /// The time that the worker has had for its answers.
    private var spent = Duration.zero

    /// How long a picture is waited for before the caller is asked what to do.
    private static let patience = Duration.milliseconds(500)

    /// - Parameter onFrame: gets each frame before it is read.
    init(_ camera: Camera, reader: PictureReader, onFrame: ((CameraFrame) -> Void)? = nil) {
        self.camera = camera
        self.reader = reader
        self.onFrame = onFrame
        reader.changeWorker()
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        guard let frame = try camera.nextFrame(within: Self.patience) else { return .nothing }
        guard frame.bytes.count <= PictureService.frameLimit else {
            return .unread(path: camera.path, .damaged(PictureDamage(kind: .tooLarge)))
        }
        onFrame?(frame)
        pictures += 1
        if pictures % PictureReader.framesPerWorker == 0 || spent >= reader.terms.budget.time / 2 {
            reader.changeWorker()
            spent = .zero
        }
        let clock = SuspendingClock()
        let began = clock.now
        defer { spent += clock.now - began }
        switch try reader.ask(PictureService.frame, frame, check: { try $0.check() }) {
        case .success(let picture):
            guard let damage = picture.damage else { return .picture(picture) }
            return .unread(path: camera.path, .damaged(damage))
        case .failure(let ending):
            losses += 1
            let loss = PictureLoss(ending, picture: pictures, isLast: losses >= reader.terms.lossLimit)
            guard !loss.isLast else { throw .lost(path: camera.path, loss) }
            return .unread(path: camera.path, .lost(loss))
        }
    }
}
