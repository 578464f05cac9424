/// Which of Apple's two environments a key belongs to. The two never mix.
public enum AppAttestEnvironment: String, Hashable, Sendable, CaseIterable {
    case production
    case development
}
