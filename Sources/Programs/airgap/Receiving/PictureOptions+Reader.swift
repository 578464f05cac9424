import AirgapLink
import Console
import PictureService

extension PictureOptions {
    /// Reads pictures in the worker that lies beside this program.
    func reader(_ film: FilmOptions, _ use: NextPicture.Use = .follow) -> PictureReader {
        var terms = PictureReader.Terms()
        terms.use = use
        terms.budget = film.budget
        terms.allowsMissingLayers = allowUnsandboxedPictures
        terms.onMissingLayers = { Failure.tell("pictures are read without a sandbox: \($0)") }
        return PictureReader(terms)
    }

    /// What goes wrong with a source, with what to do.
    func failure(_ error: LinkError) -> Failure {
        if case .noSandbox = error { return .source("\(error) \(remedy)") }
        return .source("\(error)")
    }
}
