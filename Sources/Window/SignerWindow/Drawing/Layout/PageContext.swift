#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory
    import SignerSession

    /// What the widgets of a page ask of what they are on.
    @MainActor
    final class PageContext {
        private weak var handler: (any PageHandler)?
        let keys: KeysDown
        /// Keeps the screen from going dark while it is held.
        let wake: Wake
        /// Whether something is being done that nothing may come between.
        var isBusy = false
        /// Says why a key did nothing.
        var tell: (@MainActor (Text) -> Void)?

        init(handler: any PageHandler, keys: KeysDown, wake: Wake) {
            (self.handler, self.keys, self.wake) = (handler, keys, wake)
        }

        /// The layer that can be used: what lies beneath it is seen and does nothing.
        var top: LayerID = .page

        /// Does what a control asks for, unless something lies over it.
        func press(_ message: Message, with values: Form, on layer: LayerID) {
            guard layer == top, !isBusy else { return }
            handler?.perform(message, with: values)
        }

        func verdict(onPath path: String) -> FieldVerdict? { handler?.verdict(onPath: path) }
        func phrase() throws -> SecretBytes {
            guard let handler else { throw PageIsGone() }
            return try handler.phrase()
        }
        func personIsThere() { handler?.personIsThere() }
    }

    /// The layers of a window, from below.
    enum LayerID { case page, sheet, alert }

    /// Nobody is there any more who could be asked.
    struct PageIsGone: Error {}
#endif
