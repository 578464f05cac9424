import BasicFoundation
import MainKey

/// What a PIN costs here, and what guessing it would cost somebody else.
enum PINExamination {
    private static let coresOfGuesser = 1000
    private static let sixDigits = 1_000_000

    /// - Parameter status: of the vault, if there is one.
    static func findings(_ status: VaultStatus?) -> [Finding] {
        var findings = [
            Finding("AES-256-GCM", .good, found: "values by \(AEAD.valueBackend), files by libcrypto")
        ]
        guard let measured = try? Argon2Calibration.measure() else {
            return findings + [
                Finding("Argon2id", .bad, found: "64 MiB of memory are not to be had", advice: "Close programs.")
            ]
        }
        let slot = status?.ways.first { $0.kind == "pin" } ?? status?.ways.first { $0.kind == "tpm+pin" }
        let cost = slot?.cost ?? measured.cost()
        let milliseconds = measured.milliseconds(of: cost)
        findings.append(
            Finding(
                "Argon2id", milliseconds >= 100 ? .good : .weak,
                found: "\(cost.passes) passes over \(cost.memoryKiB >> 10) MiB take about \(milliseconds) ms"
                    + (slot == nil ? ", as a new vault would" : ""),
                advice: milliseconds >= 100 ? nil : "Set the PIN again with a higher --cost: mainkey calibrate"))
        if let slot { findings.append(guessing(slot, milliseconds)) }
        if let status { findings.append(attempts(status)) }
        return findings
    }

    private static func guessing(_ slot: VaultStatus.Way, _ milliseconds: Int) -> Finding {
        guard slot.kind == "pin" else {
            return Finding("guessing the PIN", .good, found: "not elsewhere: the TPM is part of the key")
        }
        let seconds = sixDigits * max(1, milliseconds) / 1000 / coresOfGuesser
        return Finding(
            "guessing the PIN", .weak,
            found: "whoever copies the vault tries all six-digit PINs in \(words(seconds)) on \(coresOfGuesser) cores",
            advice: "Use a long passphrase, or bind the vault to a TPM: mainkey protect --tpm-pin --hard-limit")
    }

    private static func words(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) seconds"
        case ..<7200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3600) hours"
        default: "\(seconds / 86400) days"
        }
    }

    private static func attempts(_ status: VaultStatus) -> Finding {
        if status.isAttemptStateLost {
            return Finding(
                "wrong attempts", .weak, found: "the count was lost and counts as \(status.failedAttempts)",
                advice: "The next attempt says how long to wait, if at all. Then the right PIN sets it to zero.")
        }
        return Finding(
            "wrong attempts", .good,
            found: "\(status.attemptsLeft) of \(status.attemptLimit) left, by the count of "
                + (status.isCountedByHardware ? "the TPM" : "a file, which whoever can write the folder can put back"))
    }
}
