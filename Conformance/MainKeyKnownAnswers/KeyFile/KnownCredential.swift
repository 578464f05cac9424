import KnownAnswers
import MainKey
import SecretMemory

/// What a known answer opens a slot with, in hex under `pin`, `hw`, `item` and `recovery`.
struct KnownCredential {
    var pin: SecretBytes?
    var hardware: SecretBytes?
    var item: SecretBytes?
    var recovery: SecretBytes?

    init(pin: SecretBytes? = nil, hardware: SecretBytes? = nil, item: SecretBytes? = nil, recovery: SecretBytes? = nil)
    {
        self.pin = pin
        self.hardware = hardware
        self.item = item
        self.recovery = recovery
    }

    init(_ json: JSON) throws {
        func secret(_ key: String) throws -> SecretBytes? {
            if json[key].isNull { return nil }
            guard let bytes = json[key].hex else { throw RowError.missing("credential \(key)") }
            return try SecretBytes(copying: bytes)
        }
        self.init(
            pin: try secret("pin"), hardware: try secret("hw"), item: try secret("item"),
            recovery: try secret("recovery"))
    }

    /// What goes into the key of a slot.
    ///
    /// - Returns: nil if this is no credential for such a slot.
    func parts(for slot: Slot) throws(MainKeyError) -> [Slot.Part]? {
        switch slot.kind {
        case .none: item.map { [.item($0)] }
        case .pin: try stretch(pin, for: slot).map { [.pin($0)] }
        case .hardware: hardware.map { [.hardware($0)] }
        case .hardwareAndPIN:
            if let hardware { try stretch(pin, for: slot).map { [.pin($0), .hardware(hardware)] } } else { nil }
        case .recovery: try stretch(recovery, for: slot).map { [.recovery($0)] }
        }
    }

    private func stretch(_ typed: SecretBytes?, for slot: Slot) throws(MainKeyError) -> SecretBytes? {
        guard let typed, let cost = slot.cost else { return nil }
        return try Argon2id.stretch(typed, salt: slot.salt, cost: cost)
    }
}
