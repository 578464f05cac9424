import CodeMeasurement

/// Why evidence is not believed.
public enum EvidenceRefusal: Error, Hashable, Sendable {
    /// The bytes do not have the form of evidence.
    case malformed(String)
    case wrongPayloadType(found: String)
    /// No key of this id is known for the role.
    case unknownKey(Role, id: Bytes32)
    /// The side that the role names has not signed it.
    case signatureInvalid(Role)
    /// The evidence answers another question.
    case nonceMismatch
    /// The evidence is meant for another verifier.
    case audienceMismatch
    case productMismatch(found: String)
    /// The evidence belongs to another session.
    case transcriptMismatch
    /// The evidence is older or newer than the window allows.
    case notFresh(seconds: Int)
    /// A side runs code that is not among the known.
    case unknownCode(Role, found: Bytes32)
    case epochRollback(found: UInt32, needed: UInt32)
    /// Levels of measurement that are missing.
    case notMeasured(missing: Levels)
    /// The key of a side lives outside hardware.
    case softwareKey(Role)
    case quote(QuoteProblem)

    /// What is wrong with a quote.
    public enum QuoteProblem: Hashable, Sendable {
        case missing
        case malformed(String)
        case unknownKey
        case signatureInvalid
        /// The quote belongs to other evidence.
        case qualifyingDataMismatch
        /// The registers are not what the quote is over.
        case registersMismatch
    }
}

extension EvidenceRefusal: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .malformed(let reason): "The evidence is malformed: \(reason)."
        case .wrongPayloadType(let found): "\"\(found.prefix(100))\" is no evidence."
        case .unknownKey(let role, let id): "No key \(id) of the \(role) is known. Enrol it first."
        case .signatureInvalid(let role): "The evidence is not signed by the \(role)."
        case .nonceMismatch: "The evidence answers another question. Ask again with a new nonce."
        case .audienceMismatch: "The evidence is meant for somebody else."
        case .productMismatch(let found): "The evidence is about \"\(found.prefix(100))\"."
        case .transcriptMismatch: "The evidence is of another session."
        case .notFresh(let seconds): "The evidence was made \(seconds) seconds ago. Compare the clocks, and ask again."
        case .unknownCode(let role, let found): "The \(role) runs code that is not known: \(found)."
        case .epochRollback(let found, let needed): "The evidence is of epoch \(found), and \(needed) is needed."
        case .notMeasured(let missing): "The app was not measured as needed: levels \(missing.rawValue) are missing."
        case .softwareKey(let role): "The \(role)'s key lives outside hardware."
        case .quote(let problem): "The quote of the TPM is not accepted: \(problem)."
        }
    }
}

extension EvidenceRefusal.QuoteProblem: CustomStringConvertible {
    /// What is wrong with it.
    public var description: String {
        switch self {
        case .missing: "there is none"
        case .malformed(let reason): reason
        case .unknownKey: "its key is not known"
        case .signatureInvalid: "its key has not signed it"
        case .qualifyingDataMismatch: "it is of other evidence"
        case .registersMismatch: "the registers are not those that it is over"
        }
    }
}
