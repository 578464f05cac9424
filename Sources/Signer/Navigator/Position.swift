/// Where the person is: a screen, what lies over it, and the alert over both.
///
/// Source: `signer-product` section 6.2.
public struct Position: Hashable, Sendable {
    /// What the person looks at.
    public var screen: Screen
    /// What lies over the screen.
    public var modal: Modal?
    /// What has to be dismissed first.
    public var alert: Alert?

    /// - Parameters:
    ///   - screen: what the person looks at.
    ///   - modal: what lies over the screen.
    ///   - alert: what has to be dismissed first.
    public init(_ screen: Screen, modal: Modal? = nil, alert: Alert? = nil) {
        self.screen = screen
        self.modal = modal
        self.alert = alert
    }

    /// Before the first action.
    public static let start = Position(.nowhere)

    /// Behind a failure to make a screen: nothing but the alert is shown.
    public static let broken = Position(.nowhere, alert: .errorDisplay)
}

extension Position: CustomStringConvertible {
    public var description: String {
        "\(screen.rawValue)/\(modal?.rawValue ?? "-")" + (alert.map { "!\($0.rawValue)" } ?? "")
    }
}
