import Console
import MainKey
import MainKeyGRDB

/// What to type next where something was refused. The libraries' texts name no commands: other programs show them as
/// well, and windows.
enum NextStep {
    /// What an error says, and behind it what to type.
    static func text(of error: any Error) -> String { ProgramLine.text("\(error)", next: step(after: error)) }

    private static func step(after error: any Error) -> String? {
        switch error {
        case let error as MainKeyError: step(after: error)
        case let error as SealedColumnError: step(after: error.mainKeyError)
        case let error as SealedFileError: step(after: error.error)
        default: nil
        }
    }

    private static func step(after error: MainKeyError) -> String? {
        switch error {
        case .noSuchSlot: "See: mainkey status"
        case .hardwareChanged(let registers):
            "To bind it anew: mainkey protect --recovery --tpm-pin --pcrs \(registers)"
        case .recoverable: "To see both: mainkey repair; to use the newer one: mainkey repair --use-new"
        default: error.situation.map { step(in: $0, of: error.rotatingProgram) }
        }
    }

    /// - Parameter program: the one that alone rotates the vault; nil where this one does.
    private static func step(in situation: MainKeyError.Situation, of program: String?) -> String {
        switch situation {
        case .softwareTPM: "To allow it: --software-tpm"
        case .otherTPM: "To accept it: --accept-tpm"
        case .noRecovery:
            "A code is made by mainkey init --recovery, or before this by mainkey add-recovery; to do without one: "
                + "--allow-no-recovery"
        case .rotationUnfinished, .otherOwner: "Run: " + (program.map { "\($0) rotate" } ?? "mainkey rotate --resume")
        case .falseWipeMark: "To wipe the vault: mainkey wipe"
        case .wipeUnfinished: "To finish it: mainkey wipe"
        case .itemsPutBack, .itemListLost: "To take the items as they are now: mainkey repair --accept-items"
        case .filePutBack, .fileNotListed: "To list it as it is: mainkey files add"
        }
    }
}
