import Foundation
import MainKey
import SecretMemory

/// A change of a vault that is interrupted, and how to tell what it left.
enum CrashChange: String, CaseIterable {
    case create
    case changePIN = "change-pin"
    case protect
    case protectFromNone = "protect, from none"
    case rotate
    case rekey
    case wipe
    case setToken = "token set"
    case encryptListed = "encrypt, listed"
    // The same for a vault with a TPM.
    case createWithTPM = "create, TPM"
    case changePINWithTPM = "change-pin, TPM"
    case protectWithTPM = "protect, TPM"
    /// A change of a vault with a counter that every change moves.
    case setAutolockWithTPM = "set-autolock, strict TPM"
    case removeSlotWithTPM = "remove-slot, strict TPM"
    case setTokenWithTPM = "token set, strict TPM"
    case removeTokenWithTPM = "token rm, strict TPM"
    case encryptListedWithTPM = "encrypt, listed, strict TPM"
    case rekeyWithTPM = "rekey, TPM"
    case wipeWithTPM = "wipe, TPM"

    static let oldPIN = "Zeder-4481"
    static let newPIN = "Kiefer-9027"
    static let oldToken = "token of the self-test"
    static let newToken = "another token"

    var needsTPM: Bool { rawValue.hasSuffix("TPM") }

    /// Whether every change moves the counter.
    var isStrict: Bool {
        switch self {
        case .setAutolockWithTPM, .removeSlotWithTPM, .setTokenWithTPM, .removeTokenWithTPM, .encryptListedWithTPM: true
        default: false
        }
    }

    /// Whether the token is what changes.
    var isOfToken: Bool { self == .setToken || self == .setTokenWithTPM || self == .removeTokenWithTPM }

    /// Whether a file is written that the vault lists.
    var isOfListedFile: Bool { self == .encryptListed || self == .encryptListedWithTPM }

    /// Whether there is no vault before.
    var isCreation: Bool { self == .create || self == .createWithTPM }

    /// Arguments of the program, and the lines that it is given to read.
    func command(_ scene: CrashScene) -> (arguments: [String], lines: [String]) {
        switch self {
        case .create: (["init", "--pin", "--cost", "2:19456"], [Self.oldPIN])
        case .createWithTPM:
            (["init", "--tpm-pin", "--hard-limit", "--allow-no-recovery", "--cost", "2:19456"], [Self.oldPIN])
        case .changePIN, .changePINWithTPM: (["change-pin"], [Self.oldPIN, Self.newPIN])
        case .protect, .protectWithTPM: (["protect", "--none", "--yes"], [Self.oldPIN])
        case .protectFromNone: (["protect", "--pin", "--cost", "2:19456"], [Self.newPIN])
        case .setAutolockWithTPM: (["set-autolock", "5"], [Self.oldPIN])
        case .removeSlotWithTPM: (["remove-slot", scene.recoverySlot, "--allow-no-recovery"], [Self.oldPIN])
        case .rotate: (["rotate"] + scene.placeArguments, [Self.oldPIN])
        case .rekey, .rekeyWithTPM: (["rekey", "--yes"], [Self.oldPIN, Self.newPIN, ""])
        case .wipe, .wipeWithTPM: (["wipe", "--yes", "--unlock"], [Self.oldPIN])
        case .setToken, .setTokenWithTPM:
            (["token", "set", "test", "--token-fd", "0"], [Self.oldPIN, Self.newToken])
        case .removeTokenWithTPM: (["token", "rm", "test"], [Self.oldPIN])
        case .encryptListed, .encryptListedWithTPM:
            (["encrypt", scene.newText, scene.listedFile], [Self.oldPIN])
        }
    }

    /// The steps of the change at which the process can be told to die. What a run does not reach is not counted.
    var steps: [String] {
        let staging = ["removed", "created", "written", "synced"].map { "stage.\($0):" }
        let writing = { (file: String) in
            staging.map { $0 + file + ".new" } + ["promote.renamed:", "promote.synced:"].map { $0 + file }
        }
        let counting = needsTPM ? ["commit.settled"] + indexSteps : []
        let commit = (1...7).map { "commit.\($0)" } + writing("keyring.mk") + counting
        // An index of the TPM is listed as intended, then made, then written to: a counter, and a PIN index.
        let making =
            needsTPM
            ? ["indices.intended", "indices.intended@2", "indices.defined", "indices.defined@2", "indices.made"] : []
        let token = MainKeyVault.itemFile(ofToken: "test")
        let items =
            ["staged", "listed", "promoted", "removed"].map { "items.\($0)" } + writing(token)
            + ["overwrite.synced:", "overwrite.removed:"].map { $0 + token }
        return switch self {
        case .create, .createWithTPM: ["create.slots", "create.attempts"] + making + commit + writing("attempts.mk")
        case .changePIN, .changePINWithTPM:
            ["protect.slots", "protect.made"] + making + commit + writing("attempts.mk").map { $0 + "@3" }
        case .protect, .protectFromNone, .protectWithTPM, .removeSlotWithTPM:
            ["protect.slots", "protect.made"] + commit + (self == .protectWithTPM ? writing("indices.mk") : [])
        case .setAutolockWithTPM: commit
        case .setToken, .setTokenWithTPM, .removeTokenWithTPM: commit + items + writing("items.mk")
        case .encryptListed, .encryptListedWithTPM:
            ["files.announced", "files.placed", "files.settled"] + commit + commit.map { $0 + "@2" }
                + ["items.listed", "items.listed@2"] + writing("items.mk") + writing("items.mk").map { $0 + "@2" }
        case .rotate:
            [
                "rotate.begin", "rotate.begun", "rotate.batch", "rotate.batch@2", "rotate.batch@3", "rotate.finish",
                "rotate.finished",
            ]
                + commit + commit.map { $0 + "@2" } + items + writing("items.mk")
        case .rekey, .rekeyWithTPM: ["rekey.slots", "rekey.made"] + making + commit
        case .wipe, .wipeWithTPM:
            (1...9).map { "wipe.\($0)" } + writing("wipe.mk")
                + ["overwrite.synced:keyring.mk", "overwrite.removed:keyring.mk"]
        }
    }

    /// The steps around the list of what may be left in the TPM.
    private var indexSteps: [String] {
        ["indices.listed", "indices.listed@2", "indices.pins", "indices.counters"]
    }
}
