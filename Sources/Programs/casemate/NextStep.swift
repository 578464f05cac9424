import Console
import MainKey
import Signer
import Substrate

/// What to type next where something was refused. The libraries' texts name no commands: windows show them as well.
enum NextStep {
    /// What an error says, and behind it what to type.
    static func text(of error: any Error) -> String { ProgramLine.text("\(error)", next: step(after: error)) }

    private static func step(after error: any Error) -> String? {
        switch error {
        case let error as SignerError: step(after: error)
        case let refused as RefusedPayload: step(after: refused)
        default: nil
        }
    }

    private static func step(after error: SignerError) -> String? {
        switch error {
        case .dbNotInitialized: "Make one with: casemate init"
        case .firstKind: "That is done by: casemate protect"
        case .seedNotFound: "List them with: casemate seed list"
        case .keyNotFound: "List them with: casemate key list"
        case .networkNotFound, .metadataNotFound: "List them with: casemate network list"
        case .contactExists: "That is done by: casemate contact change"
        case .contactNotFound: "List them with: casemate contact list"
        case .historyEntryNotFound: "List the entries with: casemate log show"
        case .noSession(_, isForAutolock: true): "Set another with: casemate protect --autolock MINUTES"
        case .vaultKey(let error): step(after: error)
        case .vigil(let refusal): step(after: refusal)
        default: nil
        }
    }

    private static let byCode = "It is taken with: --recovery-code"

    private static func step(after error: MainKeyError) -> String? {
        switch error {
        case .wrongCredential(attemptsLeft: 0), .attemptsExhausted, .hardwareDead: byCode
        case .noSuchSlot: "See: casemate status"
        case .hardwareChanged(let registers):
            "To bind it anew: casemate protect --tpm-pin --pcrs \(registers) --recovery-code"
        default: error.situation.flatMap { step(in: $0) }
        }
    }

    /// Nothing that `mainkey` does about a vault of its own is right for one of this program.
    private static func step(in situation: MainKeyError.Situation) -> String? {
        switch situation {
        case .softwareTPM: "To allow it: --software-tpm"
        case .otherTPM: "To accept it: --accept-tpm"
        case .rotationUnfinished: "That is done by: casemate rotate"
        case .noRecovery, .otherOwner, .falseWipeMark, .wipeUnfinished, .itemsPutBack, .itemListLost, .filePutBack,
            .fileNotListed:
            nil
        }
    }

    private static func step(after refusal: VigilRefusal) -> String? {
        switch refusal {
        case .noVerdict: "\(byCode). Of the validator: casemate vigil status"
        case .noValidator: "\(byCode). A configuration that lies elsewhere is named in CASEMATE_VIGIL."
        case .otherValidator: "That is: casemate vigil unbind --recovery-code, then casemate vigil bind"
        case .bindingDiffers(.recordMissing):
            "To put it back: casemate vigil bind --restore; to give it up: casemate vigil unbind --recovery-code"
        case .bindingDiffers: "To unbind it: casemate vigil unbind --recovery-code"
        case .notProvisioned: "Pin one with: casemate vigil provision"
        case .needsPIN: "That is done by: casemate protect --pin"
        case .alreadyBound: "See: casemate vigil status"
        case .unbindFirst: "That is done by: casemate vigil unbind"
        case .wrongPIN(_, .recordMissing), .recordDamaged: "To put it back: casemate vigil bind --restore"
        case .noGrant, .notBound, .wrongPIN(_, .otherValidator): nil
        }
    }

    private static func step(after refused: RefusedPayload) -> String? {
        switch refused {
        case .networkNameTaken: "To remove one: casemate network remove GENESIS"
        case .importPasswordNotAllowed: "That is done by: casemate key derive"
        case .metadataNotExpanded: "That is done by: casemate update"
        case .update(let refusal): step(after: refusal)
        case .bulkMember(_, let refused): step(after: refused)
        default: nil
        }
    }

    private static func step(after refusal: UpdateRefusal) -> String? {
        switch refusal {
        case .networkBlocked: "See: casemate network list --absent"
        case .needGeneralVerifier:
            "Such a vault is made by: casemate init --no-verifier, or casemate wipe --forget-verifier, which removes all "
                + "seeds first."
        case .networkNameTaken(_, let genesis), .networkLookalike(_, _, let genesis):
            "That is done by: casemate network remove \(genesis.hex)"
        default: nil
        }
    }

    /// What to type about a line of the self check.
    static func step(after line: CheckLine) -> String? {
        switch (line.code, line.status) {
        case (_, .ok): nil
        case ("Prefixes", _): "To remove one: casemate network remove NETWORK"
        case ("NetworkPolicy", _): "That is done by: casemate network-policy --strict"
        case ("OldMetadata", _): "That is done by: casemate update"
        case ("Namespace", .warn): "That is: casemate --isolated, before the command"
        default: nil
        }
    }
}
