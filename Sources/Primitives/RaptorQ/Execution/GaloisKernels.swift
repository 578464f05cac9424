import CGaloisKernels

/// The vector loops for one instruction set. All of them give the same bytes.
public struct GaloisKernels: Hashable, Sendable, CustomStringConvertible {
    let level: gk_level

    /// The fastest that this processor has, or what the environment variable `RQ_KERNEL` names, if it is there.
    public static let selected = GaloisKernels(level: gk_selected_level())

    /// All that this processor and this build have, slowest first.
    public static let available = (0..<UInt32(GK_LEVEL_COUNT)).map { gk_level($0) }
        .filter { gk_is_available($0) == 1 }.map { GaloisKernels(level: $0) }

    /// `scalar`, `ssse3`, `avx2`, `avx512`, `gfni` or `neon`.
    public var description: String { String(cString: gk_level_name(level)) }

    func xor(_ target: UnsafeMutablePointer<UInt8>, from source: UnsafePointer<UInt8>, count: Int) {
        gk_xor(level, target, source, count)
    }

    func multiplyAdd(
        _ target: UnsafeMutablePointer<UInt8>, from source: UnsafePointer<UInt8>, times factor: UInt8, count: Int
    ) {
        gk_multiply_add(level, target, source, factor, count)
    }

    /// Whether both are the same.
    public static func == (a: GaloisKernels, b: GaloisKernels) -> Bool { a.level.rawValue == b.level.rawValue }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(level.rawValue) }
}
