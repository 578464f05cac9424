import BasicFoundation
import SecretMemory

/// What a vault says of validators and of its own form, sealed under its own key against unnoticed change. The record
/// beside the key says the same of validators to a program that has not opened the vault yet.
///
/// It names the slot of the PIN, which has another number after each change: a mark of another time is told by that.
struct SealedMark: Codable, Equatable {
    /// The version of the mark's form.
    private var version = 1
    /// The validator without whose word the vault is not opened, 64 hexadecimal digits; nil where it needs none.
    var validatorKeyID: String?
    /// Whether a person chose that it needs none, also where one is pinned.
    var isReleased = false
    /// Whether the PIN is joined with the validator's grant.
    var isBound = false
    /// The slot of the PIN; nil where none is a way to open the vault.
    var slot: UInt32?
    /// The least schema of the vault's database; nil in marks of before, which is the first. An older form, which is
    /// checked less, does not pass for this vault's.
    var schema: UInt32?
    /// Whether it is bound when the change is over that is under way; nil for none.
    var becomesBound: Bool?
    /// What else is so then.
    var outcome: Outcome?

    /// What a change makes of the validator's word.
    struct Outcome: Codable, Equatable {
        var validatorKeyID: String?
        var isReleased = false
    }

    init(validatorKeyID: String? = nil, isReleased: Bool = false, isBound: Bool = false, slot: UInt32? = nil) {
        self.validatorKeyID = validatorKeyID
        self.isReleased = isReleased
        self.isBound = isBound
        self.slot = slot
        schema = ColdDatabase.schemaVersion
    }

    /// The same with a change ended that was under way: a slot of another number says that it took place.
    func settled(pinSlot: UInt32?) -> SealedMark {
        guard let becomesBound else { return self }
        var mark = self
        (mark.becomesBound, mark.outcome) = (nil, nil)
        guard pinSlot != slot else { return mark }
        mark.isBound = becomesBound
        mark.slot = pinSlot
        if let outcome { (mark.validatorKeyID, mark.isReleased) = (outcome.validatorKeyID, outcome.isReleased) }
        return mark
    }

    // MARK: As it is sealed

    init(sealedForm: SecretBytes) throws {
        do { self = try sealedForm.withUnsafeBytes { try JSONDecoder().decode(Self.self, from: Data($0)) } } catch {
            throw SignerError.vigil(.bindingDiffers(.mark))
        }
    }

    func sealedForm() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self).withUnsafeBytes { try SecretBytes(copying: $0) }
    }
}
