import HardwareKeys
import MainKey

/// What the TPM can promise.
enum TPMExamination {
    static func findings(at address: TPMAddress, _ known: KnownVaults?) -> [Finding] {
        do {
            let tpm = try TPM(at: address)
            let properties = try tpm.properties()
            return [
                Finding("TPM", .good, found: "\(properties.manufacturer) at \(address)"), lockout(properties),
                authorisations(properties), identity(try tpm.identity(), at: address, known),
            ]
        } catch {
            return [
                Finding(
                    "TPM", .unknown, found: "none can be used at \(address): \(error)",
                    advice: "Switch it on in the firmware, and let this user reach /dev/tpmrm0 (group tss).")
            ]
        }
    }

    private static func identity(
        _ identity: TPMIdentity, at address: TPMAddress, _ known: KnownVaults?
    ) -> Finding {
        do {
            switch try known?.acquaintance(with: identity, at: address) ?? .new {
            case .known: return Finding("TPM identity", .good, found: "the one that this account knows (\(identity))")
            case .new:
                return Finding(
                    "TPM identity", .unknown, found: "not known yet: at its first use it is believed (\(identity))")
            case .other(let known):
                return Finding(
                    "TPM identity", .bad, found: "another one than this account knows (\(identity), not \(known))",
                    advice: "If it was replaced or cleared, protect the vault anew with --accept-tpm.")
            }
        } catch { return Finding("TPM identity", .bad, found: "\(error)") }
    }

    private static func lockout(_ tpm: TPMProperties) -> Finding {
        let words =
            "\(tpm.lockoutCounter) of \(tpm.maxAuthFail) failures used, one forgiven every \(tpm.lockoutInterval) s, recovery "
            + "\(tpm.lockoutRecovery) s"
        guard tpm.inLockout else { return Finding("TPM lockout", .good, found: words) }
        return Finding(
            "TPM lockout", .bad, found: "locked now; \(words)",
            advice: "Leave the machine on and wait \(tpm.lockoutInterval) s.")
    }

    private static func authorisations(_ tpm: TPMProperties) -> Finding {
        let words =
            "owner authorisation \(tpm.ownerAuthSet ? "set" : "not set"), lockout authorisation "
            + (tpm.lockoutAuthSet ? "set" : "not set")
        guard !tpm.lockoutAuthSet else { return Finding("TPM authorisations", .good, found: "\(words): strong") }
        return Finding(
            "TPM authorisations", .weak, found: "\(words): weak",
            advice:
                "Root, or another system on this machine, can reset the lockout and guess without limit. Set it (tpm2_changeauth -c "
                + "lockout), or use --tpm-pin --hard-limit, which does not depend on it.")
    }
}
