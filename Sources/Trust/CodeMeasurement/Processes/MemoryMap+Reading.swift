import Files

#if os(Linux)
    extension MemoryMap {
        /// Reads the map of a process.
        ///
        /// - Parameters:
        ///   - maps: an open `/proc/PID/maps`.
        ///   - isShared: whether the process has the same open file.
        ///   - former: nothing is parsed if the text is the same as there.
        /// - Throws: ``Reason/peerIdentity`` if there is nothing to read: the memory is gone. ``Reason/unmeasurable``.
        mutating func reload(
            from maps: OpenFile, isShared: Bool = false, like former: MemoryMap? = nil
        ) throws(MeasurementRefusal) {
            do throws(Errno) {
                if isShared {
                    try maps.readAllShared(into: &text, limit: Self.maximumSharedSize)
                } else {
                    try maps.readAll(into: &text, limit: Self.maximumSize)
                }
            } catch {
                throw error.isAbsence
                    ? Self.gone : MeasurementRefusal(.unmeasurable, "the memory map cannot be read: \(error)")
            }
            guard !text.isEmpty else { throw Self.gone }
            if let former, former.text == text { return }
            do throws(MemoryMapError) {
                try parse()
            } catch {
                throw MeasurementRefusal(.unmeasurable, "the memory map cannot be read: \(error)")
            }
        }

        /// The largest map, in bytes, that is read by a descriptor of the process that is measured: about 3000
        /// mappings.
        private static let maximumSharedSize = 256 << 10

        static var gone: MeasurementRefusal {
            MeasurementRefusal(.peerIdentity, "the memory is gone: the process has ended or runs another program")
        }

        /// Gives back the memory of a map that was far larger than maps are.
        mutating func releaseLargeBuffers() {
            if text.capacity > 1 << 20 { self = MemoryMap() }
        }
    }
#endif
