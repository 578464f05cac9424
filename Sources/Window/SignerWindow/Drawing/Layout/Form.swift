#if canImport(CAdwaita)
    import Screens
    import SecretMemory

    /// A field that is on the screen.
    @MainActor
    protocol FilledIn: AnyObject {
        var id: Field.ID { get }
        /// What stands in it, where it is no secret.
        var text: String? { get }
        /// Whether it is on, where it is a toggle.
        var isOn: Bool? { get }
        /// What it is typed into, where it is a secret.
        var secret: SecretEntry? { get }
    }

    /// What stands in the fields on the screen.
    @MainActor
    final class Form: FieldValues {
        private var fields: [Field.ID: Weak] = [:]
        private struct Weak { weak var field: (any FilledIn)? }

        /// Each is called when a toggle was changed.
        private var watchers: [ObjectIdentifier: @MainActor () -> Void] = [:]

        func add(_ field: any FilledIn) { fields[field.id] = Weak(field: field) }

        /// Forgets a field, unless another of its name has come since.
        func remove(_ field: any FilledIn) { if self.field(field.id) === field { fields[field.id] = nil } }

        private func field(_ id: Field.ID) -> (any FilledIn)? { fields[id]?.field }

        func text(of field: Field.ID) -> String? { self.field(field)?.text }
        func isOn(_ field: Field.ID) -> Bool? { self.field(field)?.isOn }
        func copy(of field: Field.ID) throws -> SecretBytes? { try self.field(field)?.secret?.copy() }
        func take(_ field: Field.ID) throws -> SecretBytes? { try self.field(field)?.secret?.take() }

        /// Empties all secret fields.
        func clearSecrets() { for field in fields.values { field.field?.secret?.clear() } }

        func watchToggles(for owner: AnyObject, _ run: @escaping @MainActor () -> Void) {
            watchers[ObjectIdentifier(owner)] = run
        }
        func stopWatching(for owner: AnyObject) { watchers[ObjectIdentifier(owner)] = nil }
        func toggleChanged() { for watcher in watchers.values { watcher() } }
    }
#endif
