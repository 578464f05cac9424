/// What the network namespace of a thread holds, as the thread itself sees it.
///
/// Source: `signer-product` section 5.
package struct NetworkNamespace: Equatable, Sendable {
    /// Names of interfaces, the loopback among them, in the order of their names.
    package let interfaces: [String]
    /// Whether there is no other interface than the loopback.
    package let hasOnlyLoopback: Bool
    /// Whether the loopback is switched off.
    package let isLoopbackOff: Bool
    /// Names of what routes go through, other than the loopback.
    package let routes: [String]

    /// Whether it holds nothing but a loopback, and no route: nothing in it reaches anything outside.
    package var isIsolated: Bool { hasOnlyLoopback && routes.isEmpty }
    /// Whether the loopback is switched off, too: nothing in it reaches anything at all.
    package var isEmpty: Bool { isIsolated && isLoopbackOff }
}
