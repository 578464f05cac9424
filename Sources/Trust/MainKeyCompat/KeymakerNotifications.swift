import Foundation
import MainKey

/// Posts the events of vaults to the notification centre, as Keymaker did. A notification has the event's name
/// (``MainKey/MainKeyEvent/name``), and the event in its `userInfo` under the key `event`.
public enum KeymakerNotifications {
    private static let posting: Void = MainKeyEvent.observeAll { event in
        NotificationCenter.default.post(
            name: Notification.Name(event.name), object: nil, userInfo: ["event": event])
    }

    /// Posts those of all vaults of this process from now on, on the thread on which they come about.
    public static func post() { _ = posting }
}
