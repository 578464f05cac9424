/// What a look at a file of the system gave.
public enum ExternalFile: Hashable, Sendable {
    /// The file is the mapped one and belongs to root, and no other user may write to it or to a folder above it.
    case trusted
    /// - Parameter why: for the finding.
    case refused(String)
}
