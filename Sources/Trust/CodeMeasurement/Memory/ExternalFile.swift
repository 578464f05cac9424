/// What a look at a file of the system gave.
public enum ExternalFile: Hashable, Sendable {
    /// It is the mapped one, of root, and nobody else may write to it or to a folder above it.
    case trusted
    /// - Parameter why: for the finding.
    case refused(String)
}
