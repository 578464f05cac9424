import CodeMeasurement
import HardwareKeys
import Vigil

extension ValidatorConnection {
    /// A positive verdict and what it rests on.
    struct Validity {
        var session: ValidatorSession?
        /// The end of the whole session.
        var end: Deadline
        /// The end of the last verdict.
        var expiry: Deadline
        var nextScan: Deadline
        /// When scans begin to read the files as well.
        var nextFiles: Deadline
        var confirmation: ConfirmationCheck?
        /// The app, by its key.
        var app: PublicKey
        var appKind: KeyKind
        var measured: Levels

        func facts(_ session: ValidatorSession) -> SessionFacts {
            SessionFacts(app: app, appKind: appKind, measured: measured, transcript: session.secrets.transcript)
        }
    }
}
