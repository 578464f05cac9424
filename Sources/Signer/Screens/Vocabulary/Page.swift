import Navigator

/// What a person sees after an action: a value, made from the core's ``ActionResult`` and from nothing else, that any
/// window can draw. It decides nothing; what a control does is said by a ``Message``.
///
/// Source: `signer-face` section 5, `signer-product` section 11.2.
package struct Page: Hashable, Sendable {
    /// Where the person is; tests and assistive technology name pages by it.
    package var position: Position
    /// The label of the page.
    package var title: Text
    /// The name of the vault, below the label.
    package var vault: Text
    /// The network detector, always in sight.
    package var shield: ShieldBadge
    /// The way back; nil where there is none.
    package var back: Control?
    /// What the button on the right does; nil where there is none.
    package var menu: Control?
    /// The main parts of the vault; empty where none can be gone to from here.
    package var parts: [Part] = []
    /// The key sets, at the side of wide windows; empty where none can be gone to from here.
    package var side: [Row] = []
    /// What the page shows, from top to bottom.
    package var body: [Block] = []
    /// What can be done at the end of the page.
    package var bar: [Control] = []
    /// Whether the bar works only when the page was shown to its end.
    package var mustBeRead = false
    /// What lies over the page; nil for nothing.
    package var sheet: Sheet?
    /// What has to be dismissed before anything else; nil for nothing.
    package var alert: AlertBox?

    /// The network detector in the header: its look is an icon and words.
    package struct ShieldBadge: Hashable, Sendable {
        package enum Look: String, Hashable, Sendable { case safe, connected, wasOnline, failed }
        package var look: Look
        package var text: Text
        package var press: Message
    }

    /// A main part of the vault, in the bar at the bottom or, on wide windows, at the side.
    package struct Part: Hashable, Sendable {
        package var root: Header.Root
        package var label: Text
        package var icon: Icon
        package var isCurrent: Bool
        package var press: Message
    }

    /// What lies over a page.
    package struct Sheet: Hashable, Sendable {
        package var title: Text
        package var body: [Block] = []
        package var bar: [Control] = []
        /// What closes it; nil where only the bar leads on.
        package var close: Control?
    }

    /// What has to be dismissed.
    package struct AlertBox: Hashable, Sendable {
        package var severity: Severity
        package var title: Text
        package var body: [Block] = []
        package var bar: [Control]
    }
}

/// How grave something is. Each level has its own icon and its own word: colour says nothing alone.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// It keeps something from being done.
    case refusal
    /// It must be confirmed by its own text.
    case danger
    /// It should be looked at again.
    case warning
    /// It is worth knowing.
    case notice
    /// It is as it should be.
    case good

    /// The word that stands beside the icon.
    package var word: Text {
        switch self {
        case .refusal: "Refused"
        case .danger: "Danger"
        case .warning: "Warning"
        case .notice: "Note"
        case .good: "In order"
        }
    }

    package var icon: Icon {
        switch self {
        case .refusal: .refused
        case .danger: .danger
        case .warning: .warning
        case .notice: .note
        case .good: .good
        }
    }
}

/// The signs that a window draws. They are its own: no theme of the machine gives them.
package enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, menu, close, keys, scan, log, settings, add, remove, forward
    case refused, danger, warning, note, good, locked, exposed, password
    case network, contact, verifier, shieldSafe, shieldOnline, shieldWasOnline, shieldFailed
    case film, pictures, camera, play, pause, next, previous, select, selected, backup, check, document, wipe, lock
}
