import Navigator
import NetworkDetector
import SignerCore

/// What has to be dismissed before anything else.
extension Pages {
    /// - Parameter isBroken: whether the page below could not be made; the settings are behind it.
    func errorAlert(_ failure: CoreFailure, isBroken: Bool) -> Page.AlertBox {
        Page.AlertBox(
            severity: .refusal, title: isBroken ? "This page cannot be shown" : "It was not done",
            body: [.text(Text(own: failure.text)), .text(Text(own: failure.code, .dim))],
            bar: [
                Control(
                    "dismiss", label: isBroken ? "To the settings" : "Back", icon: .back, style: .suggested,
                    does: .send(.goBack))
            ])
    }
}
