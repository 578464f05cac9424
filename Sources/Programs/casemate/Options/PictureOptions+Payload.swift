import Airgap
import AirgapLink
import AnimatedCodes
import Console
import InstalledSigner
import SplitBackup
import TextForms

extension PictureOptions {
    /// Reads the codes of a picture, a film, a folder or a camera until the payload is whole.
    func payload(fromCodes path: String) throws -> [UInt8] {
        var input = LinkInput([path], reader: reader())
        let reader = TransferReader(limit: Self.payloadLimit)
        var line = ReceiveLine()
        defer { line.end() }
        var counts = ReceiveLine.Counts(pictures: 0, codes: 0, refused: 0, parts: nil)
        var unread: PictureFailure?
        while let item = try next(&input) {
            switch item {
            case .nothing: break
            case .unread(let path, let failure):
                unread = failure
                if case .overBudget = failure { throw Failure.picture(path: path, reason: "\(failure)") }
                if case .lost(let loss) = failure {
                    line.end()
                    Warning.show("\(ScreenText.escape(path)): \(loss)")
                }
            case .content(let content):
                if let payload = try take(content, reader) { return payload }
            case .picture(let seen):
                counts.pictures += 1
                let contents = Set(try seen.codes.map { try $0.message() })
                counts.codes += contents.count
                guard contents.count < 2 else { throw Failure.severalQRCodes(path: path, count: contents.count) }
                for content in contents {
                    if let payload = try take(content, reader) { return payload }
                }
            }
            counts.spentShare = input.spentShare
            counts.parts = reader.progress.map { ($0.distinct, $0.needed) }
            line.show(counts)
        }
        if counts.pictures == 0, let unread { throw Failure.picture(path: path, reason: "\(unread)") }
        guard reader.progress != nil else { throw Failure.noQRCode(path: path) }
        return try reader.finish()
    }

    /// A share of a split backup is told apart before frames are: it is text, and they are not.
    private func take(_ content: [UInt8], _ reader: TransferReader) throws -> [UInt8]? {
        guard !BackupShare.isPlausible(content) else { throw Failure.shareOfABackup }
        guard case .payload(let payload) = try reader.read(content) else { return nil }
        return payload
    }

    /// The contents of the codes in a picture.
    func contents(ofPicture path: String) throws -> [[UInt8]] {
        var input = LinkInput([path], reader: reader())
        while let item = try next(&input) {
            switch item {
            case .picture(let seen): return seen.codes.map(\.content)
            case .unread(let path, let failure): throw Failure.picture(path: path, reason: "\(failure)")
            case .content, .nothing: break
            }
        }
        return []
    }

    /// What comes next, nil at the end.
    func next(_ input: inout LinkInput) throws -> LinkItem? {
        do throws(LinkError) { return try input.next() } catch { throw failure(error) }
    }
}
