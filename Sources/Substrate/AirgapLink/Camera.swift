import CLibrary
import CLinux
import PictureService

/// A camera of this machine, through Video4Linux2: always the newest picture, older ones are dropped.
///
/// The calls to the system are tested against a camera that tests pretend; real devices differ in what they offer.
public final class Camera {
    private var device = clinux_camera()

    /// The width that is asked for; cameras may choose another.
    public static let defaultWidth = 1280
    /// The height that is asked for.
    public static let defaultHeight = 720

    /// - Parameter path: `/dev/video0`, say.
    public convenience init(path: String, width: Int = defaultWidth, height: Int = defaultHeight) throws(LinkError) {
        try self.init(path: path, width: width, height: height, calls: nil)
    }

    init(
        path: String, width: Int, height: Int, calls: UnsafePointer<clinux_camera_calls>?
    ) throws(LinkError) {
        guard clinux_camera_open(&device, path, UInt32(clamping: width), UInt32(clamping: height), calls) == 0 else {
            throw .camera(path: path, reason: Self.reason())
        }
        self.path = path
    }

    let path: String

    deinit { clinux_camera_close(&device) }

    /// The newest picture, as it came.
    ///
    /// - Parameter time: how long it is waited for, in whole milliseconds.
    /// - Returns: nil where none came within the time.
    /// - Throws: ``LinkError/camera(path:reason:)`` where the camera is gone.
    package func nextFrame(within time: Duration) throws(LinkError) -> CameraFrame? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard clinux_camera_next(&device, Int32(clamping: Int64(time / .milliseconds(1))), &bytes, &count) == 0 else {
            throw .camera(path: path, reason: Self.reason())
        }
        guard let bytes, count > 0 else { return nil }
        // Lent until the next call.
        let copy = Array(UnsafeBufferPointer(start: bytes, count: count))
        return CameraFrame(
            format: format, width: Int(device.width), height: Int(device.height), stride: Int(device.stride),
            bytes: copy)
    }

    private var format: CameraFrame.Format {
        switch device.format {
        case clinux_camera_grey: .grey
        case clinux_camera_yuyv: .yuyv
        default: .file
        }
    }

    private static func reason() -> String {
        switch errno {
        case ENOENT: "there is no such device. Cameras are usually /dev/video0, /dev/video1"
        case EACCES: "you may not use it. Join the group 'video', or ask who runs this machine"
        case EBUSY: "another program uses it. Close that one"
        case EINVAL, ENOTTY: "it is no camera"
        case ENOTSUP: "it offers none of the formats GREY, YUYV and MJPG"
        case ENODEV: "it was unplugged. Plug it in, and start again"
        case ENOSYS: "cameras are read on Linux only"
        case let code: String(cString: strerror(code))
        }
    }
}
