/// Loads and stores (WebAssembly core specification 1.0, section 4.4.4).
extension Handlers {
    /// Loads and stores.
    static let memory: [Row] = [
        ([.i32Load, .f32Load, .i64Load32U], i32LoadStep),
        ([.i32LoadFromSum, .f32LoadFromSum, .i64Load32UFromSum], i32LoadFromSumStep),
        ([.i64Load, .f64Load], i64LoadStep),
        (
            [.i64LoadFromSum, .f64LoadFromSum],
            { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(UInt64.self, as: UInt64.self) }
        ),
        ([.i32Load8U, .i64Load8U], i32Load8UStep),
        ([.i32Load8UFromSum, .i64Load8UFromSum], i32Load8UFromSumStep),
        (
            [.i32Load16U, .i64Load16U],
            { Position(at: $0, in: $1, of: $2, left: $3).load(UInt16.self, as: UInt32.self) }
        ),
        (
            [.i32Load16UFromSum, .i64Load16UFromSum],
            { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(UInt16.self, as: UInt32.self) }
        ),
        ([.i32Load8S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int8.self, as: Int32.self) }),
        ([.i32Load8SFromSum], { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(Int8.self, as: Int32.self) }),
        ([.i32Load16S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int16.self, as: Int32.self) }),
        ([.i32Load16SFromSum], { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(Int16.self, as: Int32.self) }),
        ([.i64Load8S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int8.self, as: Int64.self) }),
        ([.i64Load8SFromSum], { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(Int8.self, as: Int64.self) }),
        ([.i64Load16S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int16.self, as: Int64.self) }),
        ([.i64Load16SFromSum], { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(Int16.self, as: Int64.self) }),
        ([.i64Load32S], { Position(at: $0, in: $1, of: $2, left: $3).load(Int32.self, as: Int64.self) }),
        ([.i64Load32SFromSum], { Position(at: $0, in: $1, of: $2, left: $3).loadFromSum(Int32.self, as: Int64.self) }),
        ([.i32Store, .f32Store, .i64Store32], i32StoreStep),
        ([.i32StoreToSum, .f32StoreToSum, .i64Store32ToSum], i32StoreToSumStep),
        ([.i64Store, .f64Store], i64StoreStep),
        ([.i64StoreToSum, .f64StoreToSum], { Position(at: $0, in: $1, of: $2, left: $3).storeToSum(UInt64.self) }),
        ([.i32Store8, .i64Store8], i32Store8Step),
        ([.i32Store8ToSum, .i64Store8ToSum], { Position(at: $0, in: $1, of: $2, left: $3).storeToSum(UInt8.self) }),
        ([.i32Store16, .i64Store16], { Position(at: $0, in: $1, of: $2, left: $3).store(UInt16.self) }),
        ([.i32Store16ToSum, .i64Store16ToSum], { Position(at: $0, in: $1, of: $2, left: $3).storeToSum(UInt16.self) }),
    ]
}

extension Position {
    /// Where an access is within bounds; nil where it is not. The base is a sum of 32 bits, as the module says; the
    /// offset is added to a number of 33 bits, so that nothing overflows.
    @inline(__always)
    private func address(
        _ base: UInt32, byteCount: Int
    ) -> UnsafeMutableRawPointer? {
        let address = UInt64(base) &+ UInt64(step.high)
        guard address &+ UInt64(byteCount) <= machine.run.pointee.memoryByteCount else { return nil }
        return machine.run.pointee.memory + Int(bitPattern: UInt(address))
    }

    /// The number in memory becomes one of the type `As`.
    @inline(__always)
    private func load<Value: FixedWidthInteger, As: Word>(
        _ base: UInt32, _ type: Value.Type,
        as result: As.Type
    ) {
        guard let address = address(base, byteCount: MemoryLayout<Value>.size) else {
            return stop(.memoryOutOfBounds)
        }
        let value = As(truncatingIfNeeded: Value(littleEndian: address.loadUnaligned(as: type))).bits
        frame[long: step.destination] = value
        go(to: step.following)
    }

    /// Loads from a place and a constant, which is mostly zero.
    @inline(__always)
    func load<Value: FixedWidthInteger, As: Word>(
        _ type: Value.Type, as result: As.Type
    ) {
        load(frame[word: step.first] &+ step.low, type, as: result)
    }

    /// Loads from two places.
    @inline(__always)
    func loadFromSum<Value: FixedWidthInteger, As: Word>(
        _ type: Value.Type, as result: As.Type
    ) {
        let base = frame[word: step.first] &+ frame[word: step.second]
        load(base, type, as: result)
    }

    /// The low bits of the value.
    @inline(__always)
    private func store<Value: FixedWidthInteger>(
        _ base: UInt32, _ type: Value.Type
    ) {
        guard let address = address(base, byteCount: MemoryLayout<Value>.size) else {
            return stop(.memoryOutOfBounds)
        }
        let value = Value(truncatingIfNeeded: frame[long: step.second])
        address.storeBytes(of: value.littleEndian, as: type)
        go(to: step.following)
    }

    /// Stores at a place and a constant.
    @inline(__always)
    func store<Value: FixedWidthInteger>(
        _ type: Value.Type
    ) {
        store(frame[word: step.first] &+ step.low, type)
    }

    /// Stores at two places; the other one stands where the destination would.
    @inline(__always)
    func storeToSum<Value: FixedWidthInteger>(
        _ type: Value.Type
    ) {
        store(frame[word: step.first] &+ frame[word: step.destination], type)
    }
}
