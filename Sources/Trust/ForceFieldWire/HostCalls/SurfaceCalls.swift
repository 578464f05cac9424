/// The calls by which a worker draws: it asks once for the memory, draws one of its frames, and says which.
///
/// Source: `forcefield` section 15.
public enum SurfaceCalls {
    /// The memory rides on the answer: a file of ``SurfaceLayout/byteCount`` bytes, to be mapped shared.
    public static let open = Method<SurfaceRequest, SurfaceLayout>("surface.open")
    /// Returns when the host has copied the frame, which may then be drawn anew.
    public static let present = Method<PresentRequest, SurfaceRequest>("surface.present")
}

/// A request that says nothing more.
public struct SurfaceRequest: Codable, Hashable, Sendable {
    /// There is nothing to say.
    public init() {}

    /// Reads a map without entries.
    public init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: NoKeys.self) }
    /// Writes a map without entries.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKeys.self) }

    private enum NoKeys: CodingKey {}
}

/// A frame that the worker has drawn.
public struct PresentRequest: Codable, Hashable, Sendable {
    /// The number of the frame, 0 or 1.
    package var frame: Int

    /// - Parameter frame: 0 or 1.
    public init(frame: Int) { self.frame = frame }
}

/// Where a surface's frames lie: BGRA, 8 bits each, rows from the top without gaps.
public struct SurfaceLayout: Codable, Hashable, Sendable {
    /// The size in pixels.
    public let width, height: Int

    /// Bytes before the first frame.
    package static let headerCount = 4_096
    package static let frameCount = 2
    private static let pixelCount = 4

    /// - Returns: nil unless both are 1 to 8,192.
    package init?(width: Int, height: Int) {
        guard (1...8_192).contains(width), (1...8_192).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Bytes of a row.
    public var stride: Int { width * Self.pixelCount }
    /// Bytes of a frame.
    package var frameByteCount: Int { stride * height }
    package var byteCount: Int { Self.headerCount + Self.frameCount * frameByteCount }

    /// Bytes before a frame, 0 or 1.
    package func offset(of frame: Int) -> Int { Self.headerCount + frame * frameByteCount }
}
