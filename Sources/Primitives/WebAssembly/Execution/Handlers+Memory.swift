/// Loads and stores (WebAssembly core specification 1.0, section 4.4.4).
extension Handlers {
    /// Loads and stores.
    static let memory: [Row] = [
        (
            [.i32Load, .f32Load, .i64Load32U],
            { Position(at: $0, in: $1, of: $2, left: $3).load(UInt32.self, as: UInt32.self) }
        ),
        ([.i64Load, .f64Load], { Position(at: $0, in: $1, of: $2, left: $3).load(UInt64.self, as: UInt64.self) }),
        ([.i32Load8U, .i64Load8U], { Position(at: $0, in: $1, of: $2, left: $3).load(UInt8.self, as: UInt32.self) }),
        (
            [.i32Load16U, .i64Load16U],
            { Position(at: $0, in: $1, of: $2, left: $3).load(UInt16.self, as: UInt32.self) }
        ),
        ([.i32Load8S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int8.self, as: Int32.self) }),
        ([.i32Load16S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int16.self, as: Int32.self) }),
        ([.i64Load8S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int8.self, as: Int64.self) }),
        ([.i64Load16S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int16.self, as: Int64.self) }),
        ([.i64Load32S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int32.self, as: Int64.self) }),
        ([.i32Store, .f32Store, .i64Store32], { Position(at: $0, in: $1, of: $2, left: $3).store(UInt32.self) }),
        ([.i64Store, .f64Store], { Position(at: $0, in: $1, of: $2, left: $3).store(UInt64.self) }),
        ([.i32Store8, .i64Store8], { Position(at: $0, in: $1, of: $2, left: $3).store(UInt8.self) }),
        ([.i32Store16, .i64Store16], { Position(at: $0, in: $1, of: $2, left: $3).store(UInt16.self) }),
    ]
}

extension Position {
    /// Where an access is within bounds; nil where it is not. The offset is added to a number of 33 bits, so that
    /// nothing overflows.
    @inline(__always)
    private func address(byteCount: Int) -> UnsafeMutableRawPointer? {
        let address = UInt64(frame[word: step.first]) &+ step.immediate
        guard address &+ UInt64(byteCount) <= machine.run.pointee.memoryByteCount else { return nil }
        return machine.run.pointee.memory + Int(bitPattern: UInt(address))
    }

    /// The number in memory becomes one of the type `As`.
    @inline(__always)
    func load<Value: FixedWidthInteger, As: Word>(_ type: Value.Type, as result: As.Type) {
        guard let address = address(byteCount: MemoryLayout<Value>.size) else { return stop(.memoryOutOfBounds) }
        assign(As(truncatingIfNeeded: Value(littleEndian: address.loadUnaligned(as: type))).bits)
    }

    /// The low bits of the value.
    @inline(__always)
    func store<Value: FixedWidthInteger>(_ type: Value.Type) {
        guard let address = address(byteCount: MemoryLayout<Value>.size) else { return stop(.memoryOutOfBounds) }
        let value = Value(truncatingIfNeeded: frame[long: step.second])
        address.storeBytes(of: value.littleEndian, as: type)
        go(to: step.following)
    }
}
