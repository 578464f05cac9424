// A stub, see README.md.
import Foundation
import FoundationOfApple
import XPC

/// Source: developer.apple.com/documentation/extensionfoundation/appextensionidentity
@available(macOS 13, iOS 26, *)
public struct AppExtensionIdentity: Hashable, Identifiable, Sendable {
    public var id: String { fatalError() }
    public var bundleIdentifier: String { fatalError() }
    public var localizedName: String { fatalError() }
    public var extensionPointIdentifier: String { fatalError() }
}

/// Source: developer.apple.com/documentation/extensionfoundation/appextensionprocess
@available(macOS 13, iOS 26, *)
public struct AppExtensionProcess {
    /// Source: developer.apple.com/documentation/extensionfoundation/appextensionprocess/configuration
    public struct Configuration {
        public init(
            appExtensionIdentity: AppExtensionIdentity, onInterruption: @escaping @Sendable () -> Void = {}
        ) { fatalError() }
        public var appExtensionIdentity: AppExtensionIdentity {
            get { fatalError() }
            set { fatalError() }
        }
    }

    public init(configuration: Configuration) async throws { fatalError() }
    public func invalidate() { fatalError() }
    #if os(macOS)
        public func makeXPCConnection() throws -> NSXPCConnection { fatalError() }
    #endif
    @available(macOS 26, iOS 26, *)
    public func makeXPCSession() throws -> XPCSession { fatalError() }
}

/// Source: developer.apple.com/documentation/extensionfoundation/appextension
@available(macOS 13, iOS 16, *)
public protocol AppExtension {
    associatedtype Configuration: AppExtensionConfiguration
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var configuration: Configuration { get }
}

@available(macOS 13, iOS 16, *)
extension AppExtension {
    public static func main() throws { fatalError() }
}

/// Source: developer.apple.com/documentation/extensionfoundation/appextensionconfiguration
@available(macOS 13, iOS 16, *)
@MainActor @preconcurrency public protocol AppExtensionConfiguration: Sendable {}

/// Source: developer.apple.com/documentation/extensionfoundation/connectionhandler
@available(macOS 26, iOS 26, *)
@MainActor @preconcurrency public struct ConnectionHandler: AppExtensionConfiguration {
    @MainActor @preconcurrency public init(
        onSessionRequest requestHandler:
            @escaping @Sendable (XPCListener.IncomingSessionRequest) -> XPCListener.IncomingSessionRequest.Decision
    ) { fatalError() }
}

/// Source: developer.apple.com/documentation/extensionfoundation/appextensionpoint
@available(macOS 26, iOS 26, *)
public struct AppExtensionPoint: Sendable {
    public struct Name: Sendable {
        public init(_ name: StaticString) { fatalError() }
    }

    public struct UserInterface: Sendable {
        public init(_ enabled: Bool = true) { fatalError() }
    }

    public struct EnhancedSecurity: Sendable {
        public init(_ enabled: Bool = true) { fatalError() }
    }

    public struct Identifier: Sendable {
        public init(_ identifier: StaticString) { fatalError() }
        public init(host: StaticString, name: StaticString) { fatalError() }
    }

    /// Source: developer.apple.com/documentation/extensionfoundation/appextensionpoint/definition
    @resultBuilder public struct Definition {
        public static func buildBlock(
            _ name: Name, _ interface: UserInterface, _ security: EnhancedSecurity
        ) -> AppExtensionPoint { fatalError() }
        public static func buildBlock(_ name: Name, _ security: EnhancedSecurity) -> AppExtensionPoint { fatalError() }
    }

    /// Source: developer.apple.com/documentation/extensionfoundation/appextensionpoint/bind
    @resultBuilder public struct Bind {
        public static func buildBlock(_ identifier: Identifier) -> AppExtensionPoint { fatalError() }
    }

    /// Source: developer.apple.com/documentation/extensionfoundation/appextensionpoint/monitor
    public final class Monitor: Sendable {
        public init() { fatalError() }
        public convenience init(appExtensionPoint: AppExtensionPoint) async throws { fatalError() }
        public func addAppExtensionPoint(_ appExtensionPoint: AppExtensionPoint) async throws { fatalError() }
        public var identities: [AppExtensionIdentity] { fatalError() }
    }
}
