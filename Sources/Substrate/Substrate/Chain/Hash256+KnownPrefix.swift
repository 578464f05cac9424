extension Hash256 {
    /// The SS58 prefix of the chain that has this hash as its genesis; nil for a chain that this program does not know.
    package var knownPrefix: UInt16? { KnownChain.withGenesis(self)?.prefix }
}
