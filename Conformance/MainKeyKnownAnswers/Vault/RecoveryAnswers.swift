import KnownAnswers
import MainKey

/// What is done about a vault's folder that a crash left in between.
enum RecoveryAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("keyring", "new", "wipeMarker") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // What the states of files are written as.
        content.leave("legend")
        report.check(content["cases"]) { row in
            guard let isWiping = row["wipeMarker"].bool else { throw RowError.missing("wipeMarker") }
            let decision = RecoveryDecision(
                isWiping: isWiping, keyFile: try state(row["keyring"]), new: try state(row["new"]),
                counter: row["tpmCounter"].isNull ? nil : try row.integer("tpmCounter"))
            row.expect("action", name(decision), equals: try row.text("expect"))
        }
    }

    private static func state(_ json: JSON) throws -> RecoveryDecision.FileState {
        if json.isNull { return .absent }
        if json.string == "invalid" { return .invalid }
        guard let generation = json["generation"].int.flatMap({ UInt64(exactly: $0) }) else {
            throw RowError.missing("generation")
        }
        return .valid(generation: generation, anchor: json["anchor"].int.flatMap { UInt64(exactly: $0) })
    }

    private static func name(_ decision: RecoveryDecision) -> String {
        switch decision {
        case .useKeyFile: "useKeyring"
        case .discardNew: "discardNew"
        case .promoteNew: "promoteNew"
        case .notFound: "notFound"
        case .discardNewThenNotFound: "discardNew+notFound"
        case .finishWipeThenNotFound: "finishWipe+notFound"
        case .reportKeyFile: "error:parse"
        case .recoverable: "error:recoverable"
        case .counterNeeded: "error:counter"
        case .rolledBack: "error:rolledBack"
        case .tampered: "error:tampered"
        }
    }
}
