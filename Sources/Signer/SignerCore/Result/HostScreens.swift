/// What has to hold before a vault is set up.
package struct AirgapCheckData: Sendable, Encodable {
    /// What the network detector says.
    package var detector: DetectorView
    /// The steps of the self check, with what each found.
    package var checks: [SelfCheckLine]
    /// Whether it can go on.
    package var isReady: Bool
}

/// The question for the credential.
package struct UnlockData: Sendable, Encodable {
    /// Seconds before the next attempt.
    package var waitSeconds = 0
    /// Attempts left; nil where they are not counted.
    package var attemptsLeft: Int?
    /// True where nothing is asked; else nil.
    package var opensByItself: Bool?
}

/// What the vault lets pass of a connected machine.
package struct NetworkPolicyData: Sendable, Encodable {
    /// By the names of the options that set it; empty for nothing.
    package var allowed: [String]
}

/// The results of the self check.
package struct SelfCheckData: Sendable, Encodable {
    /// One by one.
    package var lines: [SelfCheckLine]
}

/// The question for a text that confirms what cannot be undone.
package struct ConfirmTypedData: Sendable, Encodable {
    /// What is about to be done, in words.
    package var what: String
    /// What a person types.
    package var text: String

    /// The question of a state; nil where nothing is asked.
    init?(of state: CoreState) throws {
        switch state.position.screen {
        case .networkDetails:
            guard let network = try state.vault?.networkList().first(where: { $0.specs.key == state.shownNetwork })
            else { return nil }
            what = "Block the network: nothing is taken for it any more."
            text = network.specs.title
        case .verifier:
            guard let verifier = try state.vault?.generalVerifier() else { return nil }
            what = "Forget the general verifier: all seeds, keys and networks are removed."
            text = String((VerifierData(verifier).publicKey ?? "").suffix(8))
        case .settings:
            what = "Wipe the vault: all seeds, keys and networks are removed."
            text = "WIPE"
        default: return nil
        }
    }
}
