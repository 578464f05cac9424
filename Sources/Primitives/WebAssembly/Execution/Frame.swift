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

    /// An integer of 32 bits with a sign.
    @inline(__always)
    subscript(signed place: UInt16) -> Int32 { Int32(bitPattern: self[word: place]) }

    /// An integer of 64 bits with a sign.
    @inline(__always)
    subscript(wide place: UInt16) -> Int64 { Int64(bitPattern: self[Int(place)]) }

    /// What a comparison gives.
    @inline(__always)
    subscript(bool place: UInt16) -> Bool {
        get { self[Int(place)] != 0 }
        nonmutating set { self[Int(place)] = newValue ? 1 : 0 }
    }
}
