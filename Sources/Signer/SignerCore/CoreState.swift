import Airgap
import Navigator
import SecretMemory
import SeedDraft
import Signer
import SplitBackup
import Substrate

/// Everything that the core knows between two actions, beside what the vault stores.
///
/// Source: `signer-product` section 6.2.
struct CoreState: Sendable {
    /// What the keys on the screen are in the middle of.
    enum Specialty: Equatable, Sendable {
        case none
        case swiped(MultiSigner)
        case selecting([MultiSigner])
    }

    /// What a key signs for other vaults.
    enum Content: Equatable, Sendable {
        case specs(NetworkKey)
        case metadata(name: String, version: UInt32)
        case types
        /// An update that this vault refused; it is nowhere stored.
        case refused(UpdatePayload.Content)
    }

    /// A path whose password is still to be repeated.
    struct HeldPath: Sendable {
        var path: String
        var password: SecretBytes
    }

    /// A seed that was split, while its shares are shown.
    struct ShownSplit: Sendable {
        var split: SeedSplit
        var shares: [BackupShare]
        var index = 0
        var shown: Set<Int> = [0]
    }

    var position = Position.start
    /// What the alert tells.
    var failure: CoreFailure?
    /// Nil before there is one, and while it is locked.
    var vault: Vault?

    // Keys
    var seed: String?
    var network: NetworkKey?
    var key: MultiSigner?
    var specialty = Specialty.none
    /// The one of several keys that is shown.
    var unit = 0
    var collision: MultiSigner?
    var heldPath: HeldPath?
    var exported: ExportSecretData?

    // Seeds
    /// The name of a seed that is made or recovered.
    var newName: String?
    var newPhrase: Mnemonic?
    /// What a person is told of the throws that the phrase was made of as well.
    var newPhraseNote: String?
    var draft: SeedDraft?
    var shares: ShareSet?
    var split: ShownSplit?
    /// The keys that other wallets make of the words of a seed, or of those that were typed.
    var preview: KeyPreviewData?
    /// The names of the key sets that are exported, and their code.
    var keySets: KeySetExportData?

    /// A change of what protects the vault, until it is confirmed.
    var heldProtection: ProtectionChange?

    // What was scanned
    var transaction: PendingTransaction?

    // Networks
    var shownNetwork: NetworkKey?
    var shownMetadata: UInt32?
    var content: Content?
    var signing: ContentSigning?

    var files = MetadataFiles()

    // The rest
    var logOrder: Int?
    /// The order behind the newest entry of the log that is shown; nil for the newest of all.
    var logEnd: Int?
    /// What the log was compared with, and what that came to.
    var logComparison: LogComparison?
    var contact: [UInt8]?
    var checks: [SelfCheckLine] = []

    /// Forgets what the position does not need: secrets before all, whichever way a person went.
    mutating func tidy() {
        let (screen, modal) = (position.screen, position.modal)
        if modal != .newSeedBackup { (newPhrase, newPhraseNote) = (nil, nil) }
        if ![.recoverSeedPhrase, .keyPreview].contains(screen) { draft = nil }
        if screen != .keyPreview { preview = nil }
        if screen != .splitRecover { shares = nil }
        if screen != .splitExport || modal == nil { split = nil }
        if modal != .passwordConfirm { heldPath = nil }
        if modal != .exportSecret { exported = nil }
        if ![.recoveryCode, .confirmProtection].contains(modal) { heldProtection = nil }
        if screen != .transaction { transaction = nil }
        if screen != .signSufficientCrypto { (content, signing) = (nil, nil) }
        if screen != .deriveKey { collision = nil }
        if screen != .logDetails { logOrder = nil }
        if ![.log, .logDetails].contains(screen) { logEnd = nil }
        if screen != .metadataFiles { files = MetadataFiles() }
        if modal != .madeFile { files.made = nil }
        if modal != .logRight { logComparison = nil }
        if screen != .keySetExport { keySets = nil }
        if screen != .selfCheck { checks = [] }
        if !Self.naming.contains(screen) { newName = nil }
        if !Self.ofKeys.contains(screen) { (seed, network, specialty, unit) = (nil, nil, .none, 0) }
        if ![.keyDetails, .keyDetailsMulti].contains(screen) { key = nil }
        if ![.networkDetails, .signSufficientCrypto].contains(screen) { (shownNetwork, shownMetadata) = (nil, nil) }
        if screen == .networkDetails, modal != .manageMetadata { shownMetadata = nil }
        if screen != .contactDetails { contact = nil }
        if position.alert == nil { failure = nil }
    }

    private static let naming: [Screen] = [.newSeed, .recoverSeedName, .recoverSeedPhrase, .keyPreview]
    /// Screens below the keys of one seed in one network.
    private static let ofKeys: [Screen] = [.keys, .keyDetails, .keyDetailsMulti, .deriveKey, .splitExport, .keyPreview]

    /// Whether a secret is on the screen, or words of one that were typed behind it.
    var showsSecret: Bool { showsTypedPhrase || position.modal.map { Self.secretModals.contains($0) } ?? false }

    private static let secretModals: [Modal] = [
        .newSeedBackup, .backup, .exportSecret, .splitShard, .splitPassphrase, .recoveryCode, .passwordConfirm,
    ]

    private var showsTypedPhrase: Bool {
        position.screen == .recoverSeedPhrase || position.screen == .keyPreview && draft != nil
    }

    /// Takes what is secret from the screen, and forgets it.
    mutating func hideSecrets() {
        if showsTypedPhrase {
            position = Position(.recoverSeedName, alert: position.alert)
        } else {
            position.modal = nil
        }
        tidy()
    }
}
