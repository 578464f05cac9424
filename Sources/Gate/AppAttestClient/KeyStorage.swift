/// The key of this installation of the app. Its identifier is no secret.
public struct RegisteredKey: Equatable, Sendable {
    public var id: String
    /// Whether the gate knows it. One that Apple's server could not attest yet waits unregistered.
    public var isRegistered: Bool

    public init(id: String, isRegistered: Bool) {
        self.id = id
        self.isRegistered = isRegistered
    }
}

/// Where the key's identifier is kept between launches.
///
/// Keys of the two environments never mix: an app that has builds for both keeps one identifier for each.
public protocol KeyStorage: Sendable {
    func load() async -> RegisteredKey?

    /// - Parameter key: nil: there is none any more.
    func save(_ key: RegisteredKey?) async
}

/// Keeps the identifier as long as the process lives.
public actor MemoryKeyStorage: KeyStorage {
    private var key: RegisteredKey?

    public init(_ key: RegisteredKey? = nil) { self.key = key }

    public func load() -> RegisteredKey? { key }

    public func save(_ key: RegisteredKey?) { self.key = key }
}

#if canImport(Darwin)
    import Foundation

    /// Keeps the identifier in the app's preferences, which go with the app as its keys do.
    public struct PreferencesKeyStorage: KeyStorage {
        private let name: String

        /// - Parameter name: of the preference.
        public init(_ name: String = "AppAttestKey") { self.name = name }

        public func load() async -> RegisteredKey? {
            guard let id = UserDefaults.standard.string(forKey: name) else { return nil }
            return RegisteredKey(id: id, isRegistered: UserDefaults.standard.bool(forKey: name + ".registered"))
        }

        public func save(_ key: RegisteredKey?) async {
            UserDefaults.standard.set(key?.id, forKey: name)
            UserDefaults.standard.set(key?.isRegistered ?? false, forKey: name + ".registered")
        }
    }
#endif
