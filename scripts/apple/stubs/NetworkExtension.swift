// A stub, see README.md.
import Foundation

/// Source: developer.apple.com/documentation/networkextension/nevpnconnection
open class NEVPNConnection: NSObject {}

/// Source: developer.apple.com/documentation/networkextension/netunnelprovidersession
open class NETunnelProviderSession: NEVPNConnection {
    open func startTunnel(options: [String: Any]? = nil) throws { fatalError() }
    open func stopTunnel() { fatalError() }
    open func sendProviderMessage(_ messageData: Data, responseHandler: ((Data?) -> Void)? = nil) throws {
        fatalError()
    }
}

/// Source: developer.apple.com/documentation/networkextension/nevpnmanager
open class NEVPNManager: NSObject {
    open var isEnabled: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    open var localizedDescription: String? {
        get { fatalError() }
        set { fatalError() }
    }
    open var protocolConfiguration: NEVPNProtocol? {
        get { fatalError() }
        set { fatalError() }
    }
    open var connection: NEVPNConnection { fatalError() }
    nonisolated(nonsending) open func loadFromPreferences() async throws { fatalError() }
    nonisolated(nonsending) open func saveToPreferences() async throws { fatalError() }
}

/// Source: developer.apple.com/documentation/networkextension/netunnelprovidermanager
open class NETunnelProviderManager: NEVPNManager {
    public override init() { fatalError() }
    nonisolated(nonsending) open class func loadAllFromPreferences() async throws -> [NETunnelProviderManager] {
        fatalError()
    }
}

/// Source: developer.apple.com/documentation/networkextension/nevpnprotocol
open class NEVPNProtocol: NSObject {
    open var serverAddress: String? {
        get { fatalError() }
        set { fatalError() }
    }
}

/// Source: developer.apple.com/documentation/networkextension/netunnelproviderprotocol
open class NETunnelProviderProtocol: NEVPNProtocol {
    public override init() { fatalError() }
    open var providerBundleIdentifier: String? {
        get { fatalError() }
        set { fatalError() }
    }
}

/// Source: developer.apple.com/documentation/networkextension/neprovider
open class NEProvider: NSObject {}

/// Source: developer.apple.com/documentation/networkextension/neproviderstopreason
public enum NEProviderStopReason: Int, Sendable { case none, userInitiated, providerFailed, appUpdate }

/// Source: developer.apple.com/documentation/networkextension/netunnelprovider
open class NETunnelProvider: NEProvider {
    open func handleAppMessage(_ messageData: Data, completionHandler: (@Sendable (Data?) -> Void)? = nil) {
        fatalError()
    }
}

/// Source: developer.apple.com/documentation/networkextension/nepackettunnelprovider
open class NEPacketTunnelProvider: NETunnelProvider {
    open func startTunnel(
        options: [String: NSObject]? = nil, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { fatalError() }
    open func stopTunnel(with reason: NEProviderStopReason, completionHandler: @escaping @Sendable () -> Void) {
        fatalError()
    }
}
