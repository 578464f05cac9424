import SCALE
import Substrate

/// A network record with its place in lists.
package struct OrderedNetworkSpecs: Hashable, Sendable {
    package var specs: NetworkSpecs
    package var order: UInt8

    package init(specs: NetworkSpecs, order: UInt8) {
        self.specs = specs
        self.order = order
    }
}

extension OrderedNetworkSpecs: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        specs = try NetworkSpecs(from: &decoder)
        order = try decoder.uint8()
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.value(specs)
        encoder.integer(order)
    }
}

/// The key under which a metadata blob is stored; all versions of a network share the encoding of its name as prefix.
package struct MetadataKey: Hashable, Sendable {
    package var name: String
    package var version: UInt32

    package init(name: String, version: UInt32) {
        self.name = name
        self.version = version
    }

    package static func prefix(name: String) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.string(name)
        return encoder.bytes
    }
}

extension MetadataKey: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        version = try decoder.uint32()
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.integer(version)
    }
}
