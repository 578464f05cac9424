import Airgap
import AirgapLink
import Console
import InstalledSigner
import TextForms

extension PictureOptions {
    /// Reads codes without putting them together: each content as it is seen.
    ///
    /// - Parameters:
    ///   - path: of a picture, a film, a folder of pictures, or a camera.
    ///   - take: gets each content; returns whether more is wanted.
    func contents(from path: String, _ take: (_ content: [UInt8]) throws -> Bool) throws {
        var input = LinkInput([path], reader: reader())
        var isEmpty = true
        while let item = try next(&input) {
            switch item {
            case .nothing: break
            case .unread(let path, let failure):
                if case .overBudget = failure { throw Failure.picture(path: path, reason: "\(failure)") }
                isEmpty = false
                Warning.show("\(ScreenText.escape(path)): \(failure)")
            case .content(let content):
                isEmpty = false
                guard try take(content) else { return }
            case .picture(let seen):
                for code in seen.codes {
                    isEmpty = false
                    guard try take(code.content) else { return }
                }
            }
        }
        if isEmpty { Warning.show("\(Failure.noQRCode(path: ScreenText.escape(path)))") }
    }
}
