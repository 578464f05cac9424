/// The values of a call, by place.
typealias Frame = UnsafeMutablePointer<UInt64>

extension UnsafeMutablePointer<UInt64> {
    /// A value of 64 bits.
    @inline(__always)
    subscript(long place: UInt16) -> UInt64 {
        get { self[Int(place)] }
        nonmutating set { self[Int(place)] = newValue }
    }

    /// A value of 32 bits, in the low half.
    @inline(__always)
    subscript(word place: UInt16) -> UInt32 {
        get { UInt32(truncatingIfNeeded: self[Int(place)]) }
        nonmutating set { self[Int(place)] = UInt64(newValue) }
    }
}
