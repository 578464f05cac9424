import Airgap
import AirgapLink
import AnimatedCodes
import Console
import TextForms

/// Reads what a vault shows: a picture, a film, a folder of pictures or a camera.
struct CodeInput {
    private static let limit = 4 << 20
    let pictures: PictureOptions

    /// The first payload that is whole.
    ///
    /// - Parameter isWhole: whether the content of a code is what is looked for, whatever its first bytes are.
    func payload(from source: String, isWhole: ([UInt8]) -> Bool = { _ in false }) throws -> [UInt8] {
        var terms = PictureReader.Terms()
        terms.allowsMissingLayers = pictures.allowUnsandboxedPictures
        terms.onMissingLayers = { Warning.show("pictures are read without a sandbox: \($0)") }
        var input = LinkInput([source], reader: PictureReader(terms))
        var receiver = LinkReceiver(limit: Self.limit)
        var line = ReceiveLine()
        defer { line.end() }
        do {
            while let item = try input.next() {
                if let content = item.contents.first(where: isWhole) { return content }
                if let payload = receiver.take(item).first { return payload }
                if case .unread(_, let failure) = item, !failure.isDamage {
                    line.end()
                    Warning.show("\(failure)")
                }
                line.show(Self.counts(receiver, input.spentShare))
            }
        } catch {
            if case .noSandbox = error { throw Failure.unreadableCodes("\(error) \(pictures.remedy)") }
            throw Failure.unreadableCodes("\(error)")
        }
        guard receiver.counts.distinct > 0 else { throw Failure.noCode(source: source) }
        guard let payload = try receiver.finish().first else { throw Failure.noCode(source: source) }
        return payload
    }

    private static func counts(_ receiver: LinkReceiver, _ spent: Double?) -> ReceiveLine.Counts {
        ReceiveLine.Counts(
            pictures: receiver.counts.pictures, codes: receiver.counts.codes, refused: receiver.counts.refused,
            parts: receiver.progress.map { ($0.distinct, $0.needed) }, spentShare: spent)
    }
}

extension LinkItem {
    fileprivate var contents: [[UInt8]] {
        switch self {
        case .content(let content): [content]
        case .picture(let picture): picture.codes.compactMap { try? $0.message() }
        case .unread, .nothing: []
        }
    }
}
