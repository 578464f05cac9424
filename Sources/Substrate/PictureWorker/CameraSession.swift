import PictureService
import Pictures
import QRCode

/// The camera that is being watched.
actor CameraSession {
    private var follower: LinkReader

    init(reader: any QRReader) { follower = LinkReader(reader: reader) }

    func read(_ frame: CameraFrame) -> SeenPicture {
        do throws(PictureError) {
            let picture = try frame.luma()
            return SeenPicture(picture, readings: follower.read(picture))
        } catch {
            return SeenPicture(width: 0, height: 0, codes: [], damage: PictureDamage(error))
        }
    }
}
