/// An integer as instructions take it from a place and put it there.
protocol Word: FixedWidthInteger {
    associatedtype Unsigned: FixedWidthInteger & UnsignedInteger
    var unsigned: Unsigned { get }
}

extension UInt32: Word { var unsigned: UInt32 { @inline(__always) get { self } } }
extension Int32: Word { var unsigned: UInt32 { @inline(__always) get { UInt32(bitPattern: self) } } }
extension UInt64: Word { var unsigned: UInt64 { @inline(__always) get { self } } }
extension Int64: Word { var unsigned: UInt64 { @inline(__always) get { UInt64(bitPattern: self) } } }

extension Word {
    /// Takes the low bits of a word of the stack.
    @inline(__always)
    init(bits: UInt64) { self.init(truncatingIfNeeded: bits) }
    /// With zeros above.
    @inline(__always)
    var bits: UInt64 { UInt64(unsigned) }
}
