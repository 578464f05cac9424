import NetworkExtension
import Vigil

/// This app's link to its validator, the packet tunnel provider in its bundle.
@MainActor
final class AppValidation {
    private var vigil: Vigil?

    struct NoTunnel: Error {}

    func report() async throws -> VigilReport {
        let vigil = try await link()
        return await vigil.report()
    }

    private func link() async throws -> Vigil {
        if let vigil { return vigil }
        let parts = try VigilParts(.app)
        let identity = AppIdentity(
            key: parts.key, measure: { [own = parts.own] () throws(Refusal) in try own.digestOfThisProcess() },
            validatorHash: parts.other.hash, epoch: parts.own.epoch)
        let vigil = Vigil(
            identity, endpoint: ProviderEndpoint(try await Self.session()), pins: parts.pins,
            inspector: ProviderInspector())
        try await vigil.initialize()
        self.vigil = vigil
        return vigil
    }

    /// The session of the tunnel, whose configuration the person agrees to once.
    private static func session() async throws -> NETunnelProviderSession {
        let known = try await NETunnelProviderManager.loadAllFromPreferences()
        let manager = known.first ?? NETunnelProviderManager()
        let configuration = NETunnelProviderProtocol()
        configuration.providerBundleIdentifier = "io.github.casemate.example.validator"
        configuration.serverAddress = "this device"
        manager.protocolConfiguration = configuration
        manager.localizedDescription = "Validator of Notes"
        manager.isEnabled = true
        try await manager.saveToPreferences()
        try await manager.loadFromPreferences()
        guard let session = manager.connection as? NETunnelProviderSession else { throw NoTunnel() }
        try session.startTunnel()
        return session
    }
}
