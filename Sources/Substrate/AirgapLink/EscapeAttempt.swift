import PictureService

extension PictureReader {
    /// Has a fresh worker try what its walls must refuse.
    ///
    /// - Returns: what became of it, or how the worker ended over it.
    /// - Throws: ``LinkError`` where there is no worker or no sandbox for it.
    package func tryEscape(_ escape: Escape) throws(LinkError) -> Result<EscapeOutcome, PictureLoss.Ending> {
        // One that has read pictures may say what it likes.
        changeWorker()
        defer { changeWorker() }
        return try ask(PictureService.escape, escape) { try $0.check() }
    }
}
