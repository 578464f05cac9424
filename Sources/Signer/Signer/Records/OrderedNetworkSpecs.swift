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
