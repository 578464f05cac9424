/// Where the person is: a screen, what lies over it, and the alert over both.
///
/// Source: `signer-product` section 6.2.
package struct Position: Hashable, Sendable {
    /// What the person looks at.
    package var screen: Screen
    /// What lies over the screen.
    package var modal: Modal?
    /// What has to be dismissed first.
    package var alert: Alert?

    /// - Parameters:
    ///   - screen: what the person looks at.
    ///   - modal: what lies over the screen.
    ///   - alert: what has to be dismissed first.
    package init(_ screen: Screen, modal: Modal? = nil, alert: Alert? = nil) {
        self.screen = screen
        self.modal = modal
        self.alert = alert
    }

    /// Before the first action.
    package static let start = Position(.nowhere)

    /// Behind a failure to make a screen: nothing but the alert is shown.
    package static let broken = Position(.nowhere, alert: .errorDisplay)
}

extension Position: CustomStringConvertible {
    package var description: String {
        "\(screen.rawValue)/\(modal?.rawValue ?? "-")" + (alert.map { "!\($0.rawValue)" } ?? "")
    }
}
