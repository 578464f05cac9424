#if canImport(CAdwaita)
    import Screens
    import SecretMemory
    import SignerSession

    /// A field that is on the screen.
    @MainActor
    protocol FilledIn: AnyObject {
        var id: Field.ID { get }
        /// What stands in it, where it is no secret.
        var text: String? { get }
        /// Empties it, where it is no secret and can be empty.
        func clearText()
        /// Whether it is on, where it is a toggle.
        var isOn: Bool? { get }
        /// What it is typed into, where it is a secret.
        var secret: SecretEntry? { get }
    }

    extension FilledIn {
        var text: String? { nil }
        var isOn: Bool? { nil }
        var secret: SecretEntry? { nil }
        func clearText() {}
    }

    /// What stands in the fields of one part of the screen: of a page, of what lies over it, or of a fold. Fields of
    /// other parts may have the same name; a control gets those of its own part, or else of the part around it, or else
    /// of one within.
    @MainActor
    final class Form: FieldValues {
        private let parent: Form?
        private var fields: [Field.ID: Weak] = [:]
        private struct Weak { weak var field: (any FilledIn)? }
        private var children: [WeakForm] = []
        private struct WeakForm { weak var form: Form? }

        init(in parent: Form? = nil) {
            self.parent = parent
            parent?.children.removeAll { $0.form == nil }
            parent?.children.append(WeakForm(form: self))
        }

        /// Each is called when a toggle was changed.
        private var watchers: [ObjectIdentifier: @MainActor () -> Void] = [:]

        func add(_ field: any FilledIn) { fields[field.id] = Weak(field: field) }

        /// Forgets a field, unless another of its name has come since.
        func remove(_ field: any FilledIn) { if fields[field.id]?.field === field { fields[field.id] = nil } }

        private func field(_ id: Field.ID) -> (any FilledIn)? { around(id) ?? within(id) }
        private func around(_ id: Field.ID) -> (any FilledIn)? { fields[id]?.field ?? parent?.around(id) }
        private func within(_ id: Field.ID) -> (any FilledIn)? {
            for child in children {
                if let field = child.form.flatMap({ $0.fields[id]?.field ?? $0.within(id) }) { return field }
            }
            return nil
        }

        func text(of field: Field.ID) -> String? { self.field(field)?.text }
        func takeText(of field: Field.ID) -> String? {
            let found = self.field(field)
            defer { found?.clearText() }
            return found?.text
        }
        func isOn(_ field: Field.ID) -> Bool? { self.field(field)?.isOn }
        func isEmpty(_ field: Field.ID) -> Bool? {
            let found = self.field(field)
            return found?.secret?.isEmpty ?? found?.text?.isEmpty
        }
        func copy(of field: Field.ID) throws -> SecretBytes? { try self.field(field)?.secret?.copy() }
        func take(_ field: Field.ID) throws -> SecretBytes? { try self.field(field)?.secret?.take() }

        func watchToggles(for owner: AnyObject, _ run: @escaping @MainActor () -> Void) {
            watchers[ObjectIdentifier(owner)] = run
        }
        func stopWatching(for owner: AnyObject) { watchers[ObjectIdentifier(owner)] = nil }
        func toggleChanged() { parent.map { $0.toggleChanged() } ?? tellWatchers() }

        private func tellWatchers() {
            for watcher in watchers.values { watcher() }
            for child in children { child.form?.tellWatchers() }
        }
    }
#endif
