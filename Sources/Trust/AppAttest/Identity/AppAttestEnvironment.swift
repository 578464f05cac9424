/// Which of Apple's two environments a key belongs to. The two never mix.
public enum AppAttestEnvironment: String, Hashable, Sendable, CaseIterable {
    /// Apps from the App Store, from TestFlight and of enterprises.
    case production
    /// Apps that are being developed.
    case development
}
