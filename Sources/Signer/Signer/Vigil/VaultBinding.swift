import BasicFoundation

/// The record of a bound vault: its PIN is joined with the grant of a validator. It holds no secret, and to remove or
/// invent it opens nothing: what decides is how the slot of the PIN was made.
package struct VaultBinding: Codable, Equatable, Sendable {
    /// The version of the record's form.
    private var version = 1
    /// The product whose validator it is.
    package var label: String
    /// The key ID of the validator that vouched when the vault was bound, 64 hexadecimal digits.
    package var validatorKeyID: String
    var state: Phase
    /// The slot of the PIN as it was before a change began; nil while none is under way.
    var slot: UInt32?

    /// What is on disk between the two files that a change writes. The slot tells which of them was.
    enum Phase: String, Codable {
        case bound, binding, unbinding
    }

    init(label: String, validatorKeyID: String, state: Phase = .bound, slot: UInt32? = nil) {
        self.label = label
        self.validatorKeyID = validatorKeyID
        self.state = state
        self.slot = slot
    }

    var isChanging: Bool { state != .bound }

    /// - Parameter pinSlot: the number of the slot of the PIN as it is now; a new PIN has a new one.
    func holds(pinSlot: UInt32?) -> Bool {
        switch state {
        case .bound: true
        case .binding: pinSlot != slot
        case .unbinding: pinSlot == slot
        }
    }

    /// The same with the change ended.
    var settled: VaultBinding { VaultBinding(label: label, validatorKeyID: validatorKeyID) }
}

/// The file of the record, in the folder of the vault's key.
struct BindingRecord {
    private static let name = "vigil.json"
    private static let limit = 4096

    let path: String

    init(in folder: String) {
        path = folder + "/" + Self.name
    }

    /// - Throws: `recordDamaged`, and never nil for a record that cannot be read.
    func read() throws -> VaultBinding? {
        guard let bytes = try VaultFile(path).content(limit: Self.limit) else { return nil }
        guard let binding = try? JSONDecoder().decode(VaultBinding.self, from: Data(bytes)),
            binding.isChanging == (binding.slot != nil)
        else { throw SignerError.vigil(.recordDamaged(path: path)) }
        return binding
    }

    func write(_ binding: VaultBinding?) throws {
        if let binding {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try VaultFile(path).replace(with: Array(try encoder.encode(binding)))
        }
        try VaultFile(path).remove()
    }
}
