internal import NIOCore
internal import Synchronization

/// A number that every thread can count up.
final class MetricCell: Sendable {
    private let bits = Atomic<UInt64>(0)

    func add(_ count: UInt64) { bits.wrappingAdd(count, ordering: .relaxed) }

    var value: UInt64 { bits.load(ordering: .relaxed) }
}

/// Counters by one label.
struct CounterFamily<First: MetricLabel>: Sendable {
    let name: StaticString
    let help: StaticString
    let cells = First.texts.map { _ in MetricCell() }

    func add(_ first: First, count: Int = 1) { cells[first.place].add(UInt64(clamping: count)) }

    func value(_ first: First) -> UInt64 { cells[first.place].value }
}

/// Counters by two labels.
struct CounterFamily2<First: MetricLabel, Second: MetricLabel>: Sendable {
    let name: StaticString
    let help: StaticString
    let stride = Second.texts.count
    let cells = First.texts.flatMap { _ in Second.texts.map { _ in MetricCell() } }

    func add(_ first: First, _ second: Second, count: Int = 1) {
        cells[first.place * stride + second.place].add(UInt64(clamping: count))
    }

    func value(_ first: First, _ second: Second) -> UInt64 {
        cells[first.place * stride + second.place].value
    }
}

/// Counters by two labels and a reason.
struct ReasonedCounterFamily<First: MetricLabel, Second: MetricLabel, Reason: MetricLabel>: Sendable {
    let name: StaticString
    let help: StaticString
    let strides = (Second.texts.count * Reason.texts.count, Reason.texts.count)
    let cells = First.texts.flatMap { _ in Second.texts.flatMap { _ in Reason.texts.map { _ in MetricCell() } } }

    func add(_ first: First, _ second: Second, reason: Reason, count: Int = 1) {
        cells[place(first, second, reason: reason)].add(UInt64(clamping: count))
    }

    func value(_ first: First, _ second: Second, reason: Reason) -> UInt64 {
        cells[place(first, second, reason: reason)].value
    }

    private func place(_ first: First, _ second: Second, reason: Reason) -> Int {
        first.place * strides.0 + second.place * strides.1 + reason.place
    }
}

/// A counter without a label.
struct CounterMetric: Sendable {
    let name: StaticString
    let help: StaticString
    let cell = MetricCell()

    func add(_ count: Int = 1) { cell.add(UInt64(clamping: count)) }

    var value: UInt64 { cell.value }
}

/// A number that also falls.
final class GaugeMetric: Sendable {
    let name: StaticString
    let help: StaticString
    private let bits = Atomic<Int>(0)

    init(name: StaticString, help: StaticString) {
        self.name = name
        self.help = help
    }

    func set(_ value: Int) { bits.store(value, ordering: .relaxed) }

    func change(by change: Int) { bits.wrappingAdd(change, ordering: .relaxed) }

    var value: Int { bits.load(ordering: .relaxed) }
}

/// Numbers that also fall, by one label.
struct GaugeFamily<First: MetricLabel>: Sendable {
    let name: StaticString
    let help: StaticString
    let gauges: [GaugeMetric]

    init(name: StaticString, help: StaticString) {
        self.name = name
        self.help = help
        gauges = First.texts.map { _ in GaugeMetric(name: name, help: help) }
    }

    func change(_ first: First, by change: Int) { gauges[first.place].change(by: change) }

    func value(_ first: First) -> Int { gauges[first.place].value }
}

/// How often values fell into each of some ranges.
struct HistogramMetric: Sendable {
    /// The upper ends of the ranges but the last, rising, in units.
    let bounds: [UInt64]
    /// How many units make 1 in the exposition.
    let scale: Double
    let cells: [MetricCell]
    let sum = MetricCell()

    init(bounds: [UInt64], scale: Double) {
        self.bounds = bounds
        self.scale = scale
        cells = (0...bounds.count).map { _ in MetricCell() }
    }

    func observe(_ time: TimeAmount) { observe(UInt64(max(0, time.nanoseconds))) }

    func observe(_ value: UInt64) {
        // Few bounds: the first that fits is found sooner than by halving.
        cells[bounds.firstIndex { value <= $0 } ?? bounds.count].add(1)
        sum.add(value)
    }

    var count: UInt64 { cells.reduce(0) { $0 + $1.value } }

    /// A histogram from 50 microseconds to 10 seconds, observed in nanoseconds.
    static func seconds() -> HistogramMetric {
        HistogramMetric(
            bounds: [
                50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 10_000_000,
            ]
            .map { $0 * 1_000 }, scale: 1e9)
    }
}

/// Histograms by one label.
struct HistogramFamily<First: MetricLabel>: Sendable {
    let name: StaticString
    let help: StaticString
    let histograms = First.texts.map { _ in HistogramMetric.seconds() }

    func observe(_ time: TimeAmount, _ first: First) { histograms[first.place].observe(time) }
}
