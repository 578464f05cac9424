extension VaultKey {
    /// What is known of the vault's opening in this process.
    struct OpeningState {
        /// Whether a person opened it since it was last locked, and not a session.
        var isConfirmed = false
        var wasUnlocked = false
        /// Whether that person gave the recovery code, which needs no validator.
        var isRecovered = false
        /// What the validator said since the program last waited for a person.
        var verdict: Verdict.Account?
        /// The session with the validator that said it last, also while the program waits.
        var vouching: (any Vouching)?
        /// How many sessions with validators began or ended, which tells one from the next.
        var vouchings = 0
        /// The validator that the vault says it needs.
        var requiredValidator: String?
        /// How many uses are under way, one in the other.
        var depth = 0

        mutating func noteUnlocked(isConfirmed: Bool, isRecovered: Bool) {
            self.isConfirmed = isConfirmed
            self.isRecovered = isRecovered
            wasUnlocked = true
        }
    }
}
