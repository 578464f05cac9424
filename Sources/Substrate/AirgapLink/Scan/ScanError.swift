import Airgap
import TextForms

/// Why a scan has ended without a payload.
package enum ScanError: Error, Equatable, Sendable {
    /// The source gives nothing, or the picture reader cannot be used.
    case link(LinkError)
    /// Nothing of the source could be read: the first failure.
    case unread(path: String, PictureFailure)
    /// Everything was read, and there was no code.
    case noCode(path: String)
    /// A picture holds several codes: nobody knows which is meant.
    case severalCodes(path: String, count: Int)
    /// Everything was read, and it does not make a payload.
    case incomplete(path: String, TransferError)
}

extension ScanError: CustomStringConvertible {
    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .link(.lost(let path, let loss)): "\(path): \(loss) \(Self.again)"
        case .link(let error): "\(error)"
        case .unread(let path, .lost(let loss)): "\(ScreenText.escape(path)): \(loss) \(Self.again)"
        case .unread(let path, let failure): "\(ScreenText.escape(path)): \(failure)"
        case .noCode(let path):
            "\(ScreenText.escape(path)) holds no QR code that can be read. "
                + "Take the picture again, closer, sharp and straight, and mind reflections."
        case .severalCodes(let path, let count):
            "\(ScreenText.escape(path)) holds \(count) different codes in one picture. Show one at a time."
        case .incomplete(let path, let error):
            "\(ScreenText.escape(path)) holds no whole payload: \(error)"
        }
    }

    /// What to do where readers of pictures ended.
    private static let again = "Start the scan again. If it ends so once more, have the codes made anew."
}
