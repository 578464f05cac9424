import Scheduling

/// Cuts a stream of bytes into frames. It knows headers, not what they mean: the caller decides on each header before
/// the payload is waited for.
///
/// A small payload is cut out of the bytes that have arrived. A large one is read to where it stays: its address space
/// is reserved as a whole, and the system backs it with memory as bytes arrive, so that a peer who only claims costs
/// nothing.
package struct FrameReader: ~Copyable, Sendable {
    private var buffer = InputBuffer()
    /// The header of the frame whose payload has not been taken.
    package private(set) var header: FrameHeader?
    private var large: LargePayload?
    private var lastArrival: SteadyInstant?
    /// When the first byte of the unfinished frame arrived; nil between two frames.
    package private(set) var frameBegan: SteadyInstant?

    /// A payload that is read to where it stays.
    private struct LargePayload: Sendable {
        let fixed: [UInt8]
        var body: [UInt8]
        let bodyCount: Int

        var missing: Int { bodyCount - body.count }
    }

    /// A frame whose payload has arrived to the end.
    package struct Whole: Sendable {
        package let header: FrameHeader
        /// The beginning of the payload: as many bytes as were asked for, or all there are.
        package let fixed: [UInt8]
        /// The rest of the payload.
        package let body: [UInt8]
    }

    package init() {}

    /// A frame has begun and not ended.
    package var isInsideFrame: Bool { header != nil || buffer.count > 0 }
    /// Bytes of memory behind it. A large payload counts with the bytes that have arrived: the rest of its address
    /// space has no memory yet.
    package var memory: Int { buffer.capacity + (large.map { $0.fixed.count + $0.body.count } ?? 0) }

    /// Lets `read` add bytes that have arrived at `now`, which is asked for behind it. Frames are taken until there are
    /// none before more is added.
    package mutating func fill<E: Error>(
        at now: @autoclosure () -> SteadyInstant, _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        let missing = large?.missing ?? 0
        let count = missing > 0 ? try fillLarge(missing, read) : try buffer.fill(read)
        guard count > 0 else { return 0 }
        let now = now()
        lastArrival = now
        if frameBegan == nil { frameBegan = now }
        return count
    }

    /// Takes a frame that has begun for one that began now.
    package mutating func restartClock(at now: SteadyInstant) {
        if frameBegan != nil { frameBegan = now }
    }

    /// Adds as many of `bytes` as there is room for, which are then gone from there.
    package mutating func fill(from bytes: inout ArraySlice<UInt8>, at now: SteadyInstant) {
        let count = fill(at: now) { room in
            let part = bytes.prefix(room.count)
            room.copyBytes(from: part)
            return part.count
        }
        bytes = bytes.dropFirst(count)
    }

    /// Adds to the large payload that is waited for.
    ///
    /// - Parameter missing: bytes of it that have not arrived.
    private mutating func fillLarge<E: Error>(
        _ missing: Int, _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        var result = Result<Int, E>.success(0)
        large?.body.append(addingCapacity: missing) { space in
            space.withUnsafeMutableBufferPointer { bytes, filled in
                do throws(E) {
                    let room = UnsafeMutableRawBufferPointer(bytes)
                    filled = try read(UnsafeMutableRawBufferPointer(rebasing: room[..<missing]))
                    precondition((0...missing).contains(filled))
                    result = .success(filled)
                } catch { result = .failure(error) }
            }
        }
        return try result.get()
    }

    /// Reads the next header, once: the caller decides on it before ``finish(fixed:)``.
    ///
    /// - Returns: nil while there is none, and if it has been returned before.
    /// - Throws: ``ChannelFault``: `badHeader` for a wrong check word.
    package mutating func begin() throws(ChannelFault) -> FrameHeader? {
        guard header == nil, buffer.count >= FrameHeader.count else { return nil }
        let parsed = buffer.withBytes { FrameHeader(UnsafeRawBufferPointer(rebasing: $0[..<FrameHeader.count])) }
        guard let parsed else { throw .violation(.badHeader) }
        buffer.consume(FrameHeader.count)
        header = parsed
        return parsed
    }

    /// Takes the frame whose header has been read.
    ///
    /// - Parameter fixed: bytes of the payload before its body; the same for one frame, however often it is asked for.
    /// - Returns: nil while it is not whole.
    package mutating func finish(fixed: Int = 0) -> Whole? {
        guard let header else { return nil }
        if let large {
            guard large.missing == 0 else { return nil }
            self.large = nil
            return end(Whole(header: header, fixed: large.fixed, body: large.body))
        }
        let length = Int(header.length)
        guard buffer.count >= length else {
            if length > InputBuffer.room, buffer.count >= fixed { beginLarge(fixed: fixed, length: length) }
            return nil
        }
        let fixedBytes = buffer.take(min(fixed, length))
        return end(Whole(header: header, fixed: fixedBytes, body: buffer.take(length - fixedBytes.count)))
    }

    private mutating func beginLarge(fixed: Int, length: Int) {
        var payload = LargePayload(fixed: buffer.take(fixed), body: [], bodyCount: length - fixed)
        payload.body.reserveCapacity(payload.bodyCount)
        buffer.withBytes { payload.body.append(contentsOf: $0) }
        buffer.consume(buffer.count)
        large = payload
    }

    private mutating func end(_ frame: Whole) -> Whole {
        header = nil
        frameBegan = buffer.count > 0 ? lastArrival : nil
        return frame
    }
}
