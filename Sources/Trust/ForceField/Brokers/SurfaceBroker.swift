#if os(Linux)
    import CLinux
    import Files
    import ForceFieldWire
    import Glibc

    /// A picture that a worker has drawn: a copy, which the worker cannot change any more. Its content is the worker's
    /// word.
    public struct SurfaceFrame: Sendable {
        /// The size of the picture, and how its pixels lie.
        public let layout: SurfaceLayout
        /// BGRA, 8 bits each, rows from the top without gaps.
        public let pixels: [UInt8]
    }

    /// The drawing surface of one worker: memory that both map, of which the host reads nothing but whole frames, once.
    ///
    /// Source: `forcefield` sections 11 and 15.
    actor SurfaceBroker {
        private let layout: SurfaceLayout
        private let memory: OpenFile
        private let present: @Sendable (SurfaceFrame) -> Void

        /// - Parameter present: called for each frame, in a task.
        /// - Returns: nil if no memory can be had.
        init?(_ layout: SurfaceLayout, present: @escaping @Sendable (SurfaceFrame) -> Void) {
            // Sealed against shrinking, so that a read never meets the file's end.
            guard
                let memory = OpenFile(
                    taking: clinux_sealed_memory("ff-surface", UInt64(layout.byteCount)), "the surface's memory")
            else {
                return nil
            }
            self.layout = layout
            self.memory = memory
            self.present = present
        }

        nonisolated func register(in services: inout HostServices) {
            services.handleWithDescriptors(SurfaceCalls.open) { [self] _ in
                (layout, [OutgoingDescriptor(brokered: memory)])
            }
            services.handle(SurfaceCalls.present) { [self] request in
                try await show(request.frame)
                return SurfaceRequest()
            }
        }

        /// One frame is copied and shown at a time, so that a worker that presents faster does not fill memory with
        /// copies.
        func show(_ frame: Int) throws {
            guard let frame = copy(frame) else { throw BrokerRefusal(.badRequest, "there are frames 0 and 1") }
            present(frame)
        }

        private func copy(_ frame: Int) -> SurfaceFrame? {
            guard (0..<SurfaceLayout.frameCount).contains(frame) else { return nil }
            let offset = layout.offset(of: frame)
            let pixels = [UInt8](unsafeUninitializedCapacity: layout.frameByteCount) { space, filled in
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(space)[..<layout.frameByteCount])
                filled = (try? memory.read(at: Int64(offset), into: room)) ?? 0
            }
            guard pixels.count == layout.frameByteCount else { return nil }
            return SurfaceFrame(layout: layout, pixels: pixels)
        }
    }
#endif
