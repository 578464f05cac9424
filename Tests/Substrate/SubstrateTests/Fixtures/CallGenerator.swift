import MetadataDescriptions
import SCALE
import Substrate
import TestSupport

/// Valid bytes for any type of a registry, the same in every run: so that every call of a runtime can be decoded.
struct CallGenerator {
    let metadata: FullMetadata
    private var random = SplitMix64(state: 42)

    init(_ metadata: FullMetadata) {
        self.metadata = metadata
    }

    /// Two bytes and the arguments for each call of each pallet that has values for all of them.
    mutating func allCalls() -> [(name: String, bytes: [UInt8])] {
        var calls: [(String, [UInt8])] = []
        for pallet in metadata.pallets {
            guard let type = pallet.callsType, case .variant(let variants) = metadata.types[Int(type)].definition else {
                continue
            }
            for variant in variants where hasValues(variant, depth: 0) {
                var encoder = ScaleEncoder()
                encoder.raw([pallet.index, variant.index])
                for field in variant.fields { write(field.type, depth: 0, to: &encoder) }
                calls.append(("\(pallet.name).\(variant.name)", encoder.bytes))
            }
        }
        return calls
    }

    private mutating func write(_ type: UInt32, depth: Int, to encoder: inout ScaleEncoder) {
        switch metadata.types[Int(type)].definition {
        case .composite(let fields):
            if metadata.types[Int(type)].path.last == "AccountId32" {
                return encoder.raw((0..<32).map { _ in random.byte() })
            }
            if metadata.types[Int(type)].path.last == "WrapperKeepOpaque" {
                return writeWrapped(fields, depth: depth, to: &encoder)
            }
            for field in fields { write(field.type, depth: depth + 1, to: &encoder) }
        case .variant(let variants): writeVariant(variants, depth: depth, to: &encoder)
        case .sequence(let item):
            let count = depth > 12 ? 0 : Int(random.next() % 3)
            encoder.compact(count)
            for _ in 0..<count { write(item, depth: depth + 1, to: &encoder) }
        case .array(let length, let item):
            for _ in 0..<length { write(item, depth: depth + 1, to: &encoder) }
        case .tuple(let elements):
            for element in elements { write(element, depth: depth + 1, to: &encoder) }
        case .primitive(let primitive): write(primitive, to: &encoder)
        case .compact(let inner): if bits(of: inner) > 0 { encoder.compact(UInt128(random.next() % 200)) }
        case .bitSequence:
            encoder.compact(0)
        }
    }

    /// A value behind its length.
    private mutating func writeWrapped(
        _ fields: [TypeDescription.Field], depth: Int, to encoder: inout ScaleEncoder
    ) {
        var inner = ScaleEncoder()
        for field in fields.dropFirst() { write(field.type, depth: depth + 1, to: &inner) }
        encoder.byteSequence(inner.bytes)
    }

    /// A variant at random; deep inside, the one with the fewest fields.
    private mutating func writeVariant(_ all: [TypeDescription.Variant], depth: Int, to encoder: inout ScaleEncoder) {
        let variants = all.filter { hasValues($0, depth: 0) }
        let simplest = variants.min { ($0.fields.count, $0.index) < ($1.fields.count, $1.index) }
        let chosen = depth > 12 ? simplest : variants.randomElement(using: &random)
        guard let chosen else { return }
        encoder.integer(chosen.index)
        for field in chosen.fields { write(field.type, depth: depth + 1, to: &encoder) }
    }

    /// False for a variant with a field whose type is an enum without variants, as runtimes have them for what cannot
    /// be.
    private func hasValues(_ variant: TypeDescription.Variant, depth: Int) -> Bool {
        variant.fields.allSatisfy { hasValues($0.type, depth: depth) }
    }

    private func hasValues(_ type: UInt32, depth: Int) -> Bool {
        guard depth < 6 else { return true }
        return switch metadata.types[Int(type)].definition {
        case .composite(let fields): fields.allSatisfy { hasValues($0.type, depth: depth + 1) }
        case .variant(let variants): variants.contains { hasValues($0, depth: depth + 1) }
        case .tuple(let elements): elements.allSatisfy { hasValues($0, depth: depth + 1) }
        case .array(let length, let item): length == 0 || hasValues(item, depth: depth + 1)
        default: true
        }
    }

    private mutating func write(_ primitive: PrimitiveType, to encoder: inout ScaleEncoder) {
        let count =
            switch primitive {
            case .bool, .u8, .i8, .char, .str: 1
            case .u16, .i16: 2
            case .u32, .i32: 4
            case .u64, .i64: 8
            case .u128, .i128: 16
            case .u256, .i256: 32
            }
        switch primitive {
        case .bool: encoder.bool(random.next() & 1 == 1)
        case .char: encoder.integer(UInt32(0x61))
        case .str: encoder.string("text")
        default: encoder.raw((0..<count).map { _ in random.byte() })
        }
    }

    /// Bits of the integer inside a compact; 0 for a compact of nothing.
    private func bits(of type: UInt32) -> Int {
        switch metadata.types[Int(type)].definition {
        case .primitive(let primitive): primitive == .u8 ? 8 : 32
        case .composite(let fields): fields.first.map { bits(of: $0.type) } ?? 0
        default: 0
        }
    }
}
