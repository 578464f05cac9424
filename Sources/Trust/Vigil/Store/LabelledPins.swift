import HardwareKeys

/// The pins of one label, as a handshake asks for them.
package struct LabelledPins: PinStore {
    private let store: AttestationStore
    private let label: String

    init(_ store: AttestationStore, label: String) {
        self.store = store
        self.label = label
    }

    package func pin(of role: Role) throws(Refusal) -> Pin {
        try refusing { () throws(StoreError) in try store.content().pin(of: role, label: label) }
    }

    package func pin(_ key: PublicKey, kind: KeyKind, role: Role) throws(Refusal) -> ProvisionStatus {
        try refusing { () throws(StoreError) in try store.pin(key, kind: kind, role: role, label: label) }
    }

    package func replace(
        _ old: Bytes32, by key: PublicKey, kind: KeyKind, counter: UInt64, role: Role
    ) throws(Refusal) {
        try refusing { () throws(StoreError) in
            try store.replace(old, by: key, kind: kind, counter: counter, role: role, label: label)
        }
    }

    private func refusing<R>(_ body: () throws(StoreError) -> R) throws(Refusal) -> R {
        do throws(StoreError) { return try body() } catch { throw error.refusal }
    }
}

extension AttestationStore {
    /// - Parameter label: which of several peers of a role is meant.
    package func pins(label: String = standardLabel) -> any PinStore { LabelledPins(self, label: label) }
}
