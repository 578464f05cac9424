#if os(Linux)
    import Files

    extension OpenFile {
        /// Takes over a descriptor that the system has just given.
        ///
        /// - Parameter name: what errors call it by.
        /// - Returns: nil for a negative number, which is no descriptor.
        convenience init?(taking number: Int32, _ name: FilePath) {
            guard number >= 0 else { return nil }
            self.init(owning: FileDescriptor(rawValue: number), path: name)
        }

        var number: Int32 { descriptor.rawValue }
    }
#endif
