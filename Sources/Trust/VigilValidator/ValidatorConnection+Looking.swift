import CodeMeasurement
import Vigil

extension ValidatorConnection {
    /// Looks, and wants every level that was asked for.
    func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
        let wanted = levels.subtracting(.selfReported)
        let seen = try inspect(wanted, isNewSession: isNewSession)
        guard wanted.isSubset(of: seen.measured) else {
            throw Refusal(.unmeasurable, "levels \(wanted.subtracting(seen.measured).rawValue) could not be taken")
        }
        return seen
    }

    /// Looks at an app that was found valid because it asks.
    ///
    /// That puts off no look that the app does not ask for: it knows when it asks, and could show what it hides between
    /// its questions to nobody.
    func lookAsked(_ validity: Validity, readsFiles: Bool = false) throws(Refusal) -> Inspection {
        try lookAgain(validity, readsFiles: readsFiles)
    }

    /// Looks at an app that was found valid unasked, and reads its files again where it is time to.
    func scan(_ validity: inout Validity, at now: Deadline) throws(Refusal) {
        let isFilesTurn = now >= validity.nextFiles
        _ = try lookAgain(validity, readsFiles: isFilesTurn)
        if isFilesTurn { validity.nextFiles = now.advanced(by: services.policy.fileInterval) }
        validity.nextScan = now.advanced(by: services.nextInterval)
    }

    private func lookAgain(_ validity: Validity, readsFiles: Bool) throws(Refusal) -> Inspection {
        try checkPin(of: validity.app)
        let files = services.policy.requiredLevels.intersection(readsFiles ? .files : [])
        let seen = try look(services.scanLevels.union(files), isNewSession: false)
        guard files.isEmpty || seen.hash == services.identity.appFiles else {
            throw Refusal(.hashMismatch, "the app's files are \(seen.hash ?? .zero) now")
        }
        return seen
    }

    /// Whether the app that was found valid is still the pinned one: what is revoked ends also what has begun.
    private func checkPin(of app: PublicKey) throws(Refusal) {
        guard case .active(app, _) = try services.pins.pin(of: .app) else {
            throw Refusal(.revoked, "the app's key is not pinned any more")
        }
    }

    /// Takes the descriptors that the app sent of itself.
    func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
        try services.inspections.run(of: user, .beforeVerdict) { [peer] () throws(Refusal) in
            try peer.take(attachments, mask)
        }
    }

    func inspect(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
        let phase: AppInspections.Phase = isNewSession ? .beforeVerdict : .session
        return try services.inspections.run(of: user, phase) { [peer, lastIdentity] () throws(Refusal) in
            defer { lastIdentity.set(peer.identity) }
            return try peer.look(levels, isNewSession: isNewSession)
        }
    }
}
