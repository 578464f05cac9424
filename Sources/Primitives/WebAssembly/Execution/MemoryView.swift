/// The memory as the loop sees it; taken again after whatever may make it larger.
struct MemoryView {
    let base: UnsafeMutableRawPointer
    let byteCount: UInt64

    init(_ memory: LinearMemory?) {
        // Without a memory, no address is within bounds.
        base = memory?.base ?? UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
        byteCount = UInt64(memory?.byteCount ?? 0)
    }

    /// The address of an access, within bounds: a number of 33 bits, so that nothing overflows.
    @inline(__always)
    private func address(_ frame: Frame, _ step: Instruction, count: Int) -> UnsafeMutableRawPointer? {
        let address = UInt64(frame[word: step.first]) &+ step.immediate
        return address &+ UInt64(count) <= byteCount ? base + Int(bitPattern: UInt(address)) : nil
    }

    @inline(__always)
    func load<Integer: FixedWidthInteger>(_ type: Integer.Type, _ frame: Frame, for step: Instruction) -> Integer? {
        address(frame, step, count: MemoryLayout<Integer>.size).map {
            Integer(littleEndian: $0.loadUnaligned(as: type))
        }
    }

    /// - Returns: whether it was within bounds.
    @inline(__always)
    func store<Integer: FixedWidthInteger>(_ value: Integer, _ frame: Frame, for step: Instruction) -> Bool {
        guard let address = address(frame, step, count: MemoryLayout<Integer>.size) else { return false }
        address.storeBytes(of: value.littleEndian, as: Integer.self)
        return true
    }
}
