/// An ``Instruction`` in the code of a module, as its handler sees it: each part is read where it is used.
typealias Step = UnsafeRawPointer

extension UnsafeRawPointer {
    @inline(__always)
    private var instruction: UnsafePointer<Instruction> { assumingMemoryBound(to: Instruction.self) }

    @inline(__always)
    var number: Int { Int(instruction.pointee.number) }
    var operation: Operation { instruction.pointee.operation }
    @inline(__always)
    var destination: UInt16 { instruction.pointee.destination }
    @inline(__always)
    var first: UInt16 { instruction.pointee.first }
    @inline(__always)
    var second: UInt16 { instruction.pointee.second }
    @inline(__always)
    var immediate: UInt64 { instruction.pointee.immediate }
    /// The two halves of ``immediate``.
    @inline(__always)
    var low: UInt32 { UInt32(truncatingIfNeeded: instruction.pointee.immediate) }
    @inline(__always)
    var high: UInt32 { UInt32(truncatingIfNeeded: instruction.pointee.immediate >> 32) }

    /// The instruction behind it.
    @inline(__always)
    var following: Step { self + MemoryLayout<Instruction>.stride }
    /// The instruction to which it branches.
    @inline(__always)
    var target: Step { self + Int(Int32(bitPattern: low)) }

    /// The instruction that stands so many ones behind it.
    @inline(__always)
    func advanced(byInstructions count: Int) -> Step { self + count &* MemoryLayout<Instruction>.stride }
}
