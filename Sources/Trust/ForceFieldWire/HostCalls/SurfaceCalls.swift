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
    public init() {}

    public init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: NoKeys.self) }
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKeys.self) }

    private enum NoKeys: CodingKey {}
}

public struct PresentRequest: Codable, Hashable, Sendable {
    /// The number of the frame, 0 or 1.
    public var frame: Int

    public init(frame: Int) { self.frame = frame }
}

/// Where a surface's frames lie: BGRA, 8 bits each, rows from the top without gaps.
public struct SurfaceLayout: Codable, Hashable, Sendable {
    /// The size in pixels.
    public let width, height: Int

    /// Bytes before the first frame.
    public static let headerCount = 4_096
    public static let frameCount = 2
    private static let pixelCount = 4

    /// - Returns: nil unless both are 1 to 8,192.
    public init?(width: Int, height: Int) {
        guard (1...8_192).contains(width), (1...8_192).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Bytes of a row.
    public var stride: Int { width * Self.pixelCount }
    /// Bytes of a frame.
    public var frameByteCount: Int { stride * height }
    public var byteCount: Int { Self.headerCount + Self.frameCount * frameByteCount }

    /// Bytes before a frame, 0 or 1.
    public func offset(of frame: Int) -> Int { Self.headerCount + frame * frameByteCount }
}
