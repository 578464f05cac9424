// both: 'AppExtensionPoint' is only available in
import ExtensionFoundation

@available(macOS 26, iOS 26, *)
struct Found {
    let monitor: AppExtensionPoint.Monitor

    func name() -> String? { monitor.identities.first?.bundleIdentifier }
}

func isKnown() -> Bool {
    guard #available(macOS 26, iOS 26, *) else { return false }
    return AppExtensionPoint.Monitor.self is any Sendable.Type
}

struct Point {
    let kind: any Any.Type = AppExtensionPoint.self
}
