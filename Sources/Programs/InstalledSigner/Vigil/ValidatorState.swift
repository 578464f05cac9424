import Console
import Signer
import TextForms

/// What 'status' and 'vigil status' tell of the validator.
package struct ValidatorState: Encodable {
    /// Nil where no configuration is installed.
    package var configuration: String?
    package var product: String?
    package var epoch: UInt32?
    package var socket: String?
    /// The key ID of the validator that is pinned; nil for none.
    package var validatorKeyID: String?
    package var vouches = false
    /// Why the validator does not vouch.
    package var reason: String?
    package var keyKind: String?
    package var validatorKeyKind: String?
    package var levels: [String] = []
    package var validatorLevels: [String] = []
    /// How the validator looked at this program; nil where it gave no verdict.
    package var look: Look?
    /// How this program looked at the validator.
    package var validatorLook: Look?
    package var latencyMicroseconds: Int64?
    /// Whether it has a secret for this program.
    package var grants = false
    /// Whether program and validator run as one user, whose other programs then read the validator's secret too.
    package var sharedUser = false
    /// Whether the vault opens only with it; nil where there is no vault.
    package var bound: Bool?

    /// What a look is worth.
    package struct Look: Encodable {
        /// Whether the side that looked opened everything by itself.
        package var firsthand: Bool
        /// Whether the rules about the environment were kept, and not left out.
        package var environmentRead: Bool

        /// - Parameter isEnvironmentRead: nil where that comes with a look of one's own.
        init(isFirsthand: Bool, isEnvironmentRead: Bool? = nil) {
            firsthand = isFirsthand
            environmentRead = isEnvironmentRead ?? isFirsthand
        }

        /// - Parameter subject: who was looked at.
        package func line(_ subject: String) -> String {
            let environment =
                environmentRead ? "environment read" : "environment not read: rules about it were left out"
            return firsthand
                ? "first-hand; \(environment)" : "second-hand, through descriptors that \(subject) sent; \(environment)"
        }
    }

    /// - Parameter key: of the vault, if there is one.
    package static func current(_ key: VaultKey?) throws -> ValidatorState {
        var state = InstalledValidator.current?.state() ?? ValidatorState()
        state.bound = try key.map { try $0.binding() != nil }
        return state
    }

    /// One line: who vouches for this program, and what that means.
    package var line: String {
        if vouches, let validatorKeyID {
            return "the validator \(validatorKeyID.prefix(16)) vouches for this program: \(checks)"
        }
        if validatorKeyID != nil || reason != nil {
            return "the validator does not vouch for this program: \(ScreenText.escape(reason ?? ""))"
        }
        return "\(Self.none) \(Self.meaning)"
    }

    package var bindingLine: String {
        switch (bound, validatorKeyID) {
        case (true?, _): "bound to the validator: the PIN opens nothing without its word; the recovery code does"
        case (false?, .some):
            "not bound: the PIN opens it with the validator's word, and a changed program that does not ask. Bind it with: casemate vigil bind"
        case (false?, nil): "not bound to a validator; once it was opened with one, only with that one's word"
        case (nil, _): "there is none"
        }
    }

    private var checks: String {
        "\(levels.joined(separator: " ")) of it, \(validatorLevels.joined(separator: " ")) of the validator, "
            + "in \(latencyMicroseconds.map { "\(Double($0 / 100) / 10)" } ?? "?") ms"
    }

    /// What it means that vault and validator have one user.
    package static let sharedUser =
        "Vault and validator run as one user: what that user runs, a changed casemate too, can read the validator's secret, so that "
        + "binding keeps nobody out who knows the PIN. Install it as root to separate them: make install-signed"

    package static let none = "No validator vouches for this program."
    package static let meaning = "Whoever changes its files or its memory gets at the seeds once you type the PIN."
}

extension Verdict.Account {
    /// One line for the screen of a person who is about to sign.
    package var line: String {
        let (seconds, attoseconds) = latency.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "Vouched for by the validator \(validatorKeyID.prefix(16)): \(levels.joined(separator: " ")) "
            + "\(isFirsthand ? "first-hand" : "second-hand"), \(Double(tenths) / 10) ms"
    }
}
