#if os(Linux)
    import Glibc

    /// A descriptor that is closed with the last reference to it.
    final class OwnedDescriptor: Sendable {
        let number: Int32

        /// - Returns: nil for a negative number, which is no descriptor.
        init?(taking number: Int32) {
            guard number >= 0 else { return nil }
            self.number = number
        }

        deinit { close(number) }
    }
#endif
