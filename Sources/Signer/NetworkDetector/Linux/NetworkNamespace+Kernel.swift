#if os(Linux)
    extension NetworkNamespace {
        /// Asks the kernel.
        ///
        /// - Throws: ``NetworkWatchError`` as ``LinkQuestions/ask()``.
        static func own() throws(NetworkWatchError) -> NetworkNamespace {
            NetworkNamespace(try LinkQuestions().ask())
        }

        private init(_ sight: Sight) {
            let loopback = sight.interfaces.values.filter(\.isLoopback)
            self.init(
                interfaces: sight.names, hasOnlyLoopback: sight.interfaces.count == 1 && loopback.count == 1,
                isLoopbackOff: loopback.allSatisfy { !$0.isUp }, routes: sight.routed)
        }
    }
#endif
