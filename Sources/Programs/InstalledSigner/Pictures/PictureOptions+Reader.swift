import AirgapLink
import BasicFoundation
import Console
import Signer

extension PictureOptions {
    /// Bytes of a payload at the most that comes in several codes.
    package static let payloadLimit = 4 << 20

    /// Reads pictures in the worker that is installed with this program.
    package func reader() -> PictureReader { Self.reader(allowingMissingLayers: allowUnsandboxedPictures) }

    /// The worker that is installed with this program, for commands that take no pictures either.
    package static func reader(allowingMissingLayers: Bool) -> PictureReader {
        PictureReader.endWorkersOnSignals()
        return PictureReader(terms(allowingMissingLayers: allowingMissingLayers))
    }

    /// How pictures are read by this installation.
    package var terms: PictureReader.Terms { Self.terms(allowingMissingLayers: allowUnsandboxedPictures) }

    private static func terms(allowingMissingLayers: Bool) -> PictureReader.Terms {
        var terms = PictureReader.Terms()
        terms.allowsMissingLayers = allowingMissingLayers
        terms.measure = InstalledWorker.measurement
        terms.onMissingLayers = { missing in
            ProgramLine.note("pictures are read without a sandbox: \(missing)", by: "casemate")
        }
        return terms
    }

    /// Expands compressed metadata in a worker of its own.
    package var expander: MetadataExpander {
        let options = self
        return { packed in
            do { return try options.reader().expand(packed) } catch let error as ExpansionError {
                throw RefusedPayload.packedMetadataDamaged(reason: error.reason)
            } catch let error as LinkError {
                throw options.failure(error)
            }
        }
    }

    /// What goes wrong with a source, with what to do.
    package func failure(_ error: LinkError) -> InstallationError {
        switch error {
        case .noSandbox: .pictureReader(reason: "\(error) \(remedy)")
        case .noPictureReader: .pictureReader(reason: "\(error)")
        default: .unreadableCodes(reason: "\(error)")
        }
    }
}
