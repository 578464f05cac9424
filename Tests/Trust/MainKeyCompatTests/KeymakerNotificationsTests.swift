import Foundation
import Synchronization
import Testing

@testable import MainKey
@testable import MainKeyCompat

@Suite("Events as notifications")
struct KeymakerNotificationsTests {
    private final class Seen: Sendable {
        let events = Mutex<[MainKeyEvent]>([])
    }

    @Test("an event is posted once under its name, with itself, however often that was asked for")
    func posted() {
        let seen = Seen()
        let name = Notification.Name("MainKey.rotateSoon")
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            guard let event = notification.userInfo?["event"] as? MainKeyEvent else { return }
            seen.events.withLock { $0.append(event) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        KeymakerNotifications.post()
        KeymakerNotifications.post()
        EventHub().post(.rotateSoon("a place of this test"))
        let places = seen.events.withLock { events in
            events.compactMap { if case .rotateSoon(let place) = $0 { place } else { nil } }
        }
        #expect(places.filter { $0 == "a place of this test" }.count == 1)
    }
}
