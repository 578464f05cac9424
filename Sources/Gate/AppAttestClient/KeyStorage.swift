/// The key of this installation of the app. Its identifier is no secret.
public struct RegisteredKey: Equatable, Sendable {
    /// The identifier as the service of the device gives it.
    public var id: String
    /// Whether the gate knows it. One that Apple's server could not attest yet waits unregistered.
    public var isRegistered: Bool

    /// A key that was kept.
    public init(id: String, isRegistered: Bool) {
        self.id = id
        self.isRegistered = isRegistered
    }
}

/// Where the key's identifier is kept between launches.
///
/// Keys of the two environments never mix: an app that has builds for both keeps one identifier for each.
public protocol KeyStorage: Sendable {
    /// The key that was kept last; nil if there is none.
    func load() async -> RegisteredKey?

    /// Keeps a key.
    ///
    /// - Parameter key: nil if there is none any more.
    func save(_ key: RegisteredKey?) async
}

/// Keeps the identifier as long as the process lives.
public actor MemoryKeyStorage: KeyStorage {
    private var key: RegisteredKey?

    /// Begins with a key, or none.
    public init(_ key: RegisteredKey? = nil) { self.key = key }

    /// The key that was kept last.
    public func load() -> RegisteredKey? { key }

    /// Keeps a key, or none any more.
    public func save(_ key: RegisteredKey?) { self.key = key }
}

#if canImport(Darwin)
    import Foundation

    /// Keeps the identifier in the app's preferences, which go with the app as its keys do.
    public struct PreferencesKeyStorage: KeyStorage {
        private let name: String

        /// Keeps the identifier under a name.
        ///
        /// - Parameter name: of the preference.
        public init(_ name: String = "AppAttestKey") { self.name = name }

        /// The key that the preferences have.
        public func load() async -> RegisteredKey? {
            guard let id = UserDefaults.standard.string(forKey: name) else { return nil }
            return RegisteredKey(id: id, isRegistered: UserDefaults.standard.bool(forKey: name + ".registered"))
        }

        /// Writes a key to the preferences, or takes it away.
        public func save(_ key: RegisteredKey?) async {
            UserDefaults.standard.set(key?.id, forKey: name)
            UserDefaults.standard.set(key?.isRegistered ?? false, forKey: name + ".registered")
        }
    }
#endif
