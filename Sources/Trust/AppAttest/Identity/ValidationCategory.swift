/// How the running app was launched and signed, as the system says it in authenticator data (iOS 27, macOS 27 and
/// later).
///
/// Source: `appattest-gate` section 1.4.
public struct ValidationCategory: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// A category by Apple's number, one without a name here too.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An executable of the operating system.
    public static let operatingSystem = ValidationCategory(rawValue: 1)
    /// Installed by TestFlight.
    public static let testFlight = ValidationCategory(rawValue: 2)
    /// Signed for development.
    public static let development = ValidationCategory(rawValue: 3)
    /// Installed from the App Store.
    public static let appStore = ValidationCategory(rawValue: 4)
    /// Enterprise or ad-hoc distribution.
    public static let enterprise = ValidationCategory(rawValue: 5)
    /// Signed with a Developer ID and notarised.
    public static let developerID = ValidationCategory(rawValue: 6)
    /// Launched and signed in another way.
    public static let other = ValidationCategory(rawValue: 10)

    /// Whether no policy may admit it: 0 is invalid; 7, 8 and 9 are never appropriate, says Apple.
    package var isNeverAdmitted: Bool { [0, 7, 8, 9].contains(rawValue) }
}
