/// The text format of Prometheus, written once from top to bottom.
struct MetricText {
    private(set) var content = ""

    private mutating func head(_ name: StaticString, _ help: StaticString, _ type: StaticString) {
        content += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(
        _ name: StaticString, _ suffix: StaticString = "", _ labels: [(String, String)] = [], _ value: String
    ) {
        let text = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        content += "\(name)\(suffix)\(text.isEmpty ? "" : "{\(text)}") \(value)\n"
    }

    mutating func counter(_ counter: CounterMetric) {
        head(counter.name, counter.help, "counter")
        line(counter.name, "", [], String(counter.value))
    }

    mutating func counters<First>(_ family: CounterFamily<First>) {
        head(family.name, family.help, "counter")
        for (text, cell) in zip(First.texts, family.cells) {
            line(family.name, "", [(First.labelName, text)], String(cell.value))
        }
    }

    /// Writes counters of two labels: only those of the many combinations that occurred.
    mutating func counters<First, Second>(_ family: CounterFamily2<First, Second>) {
        head(family.name, family.help, "counter")
        for (index, cell) in family.cells.enumerated() where cell.value > 0 {
            let (first, second) = index.quotientAndRemainder(dividingBy: family.stride)
            let labels = [(First.labelName, First.texts[first]), (Second.labelName, Second.texts[second])]
            line(family.name, "", labels, String(cell.value))
        }
    }

    mutating func counters<First, Second, Third>(_ family: CounterFamily3<First, Second, Third>) {
        head(family.name, family.help, "counter")
        for (index, cell) in family.cells.enumerated() where cell.value > 0 {
            let (first, rest) = index.quotientAndRemainder(dividingBy: family.strides.0)
            let (second, third) = rest.quotientAndRemainder(dividingBy: family.strides.1)
            let labels = [
                (First.labelName, First.texts[first]), (Second.labelName, Second.texts[second]),
                (Third.labelName, Third.texts[third]),
            ]
            line(family.name, "", labels, String(cell.value))
        }
    }

    mutating func gauge(_ gauge: GaugeMetric) {
        head(gauge.name, gauge.help, "gauge")
        line(gauge.name, "", [], String(gauge.value))
    }

    mutating func gauges<First>(_ family: GaugeFamily<First>) {
        head(family.name, family.help, "gauge")
        for (text, gauge) in zip(First.texts, family.gauges) {
            line(family.name, "", [(First.labelName, text)], String(gauge.value))
        }
    }

    mutating func histogram(_ name: StaticString, _ help: StaticString, _ histogram: HistogramMetric) {
        head(name, help, "histogram")
        lines(name, [], histogram)
    }

    mutating func histograms<First>(_ family: HistogramFamily<First>) {
        head(family.name, family.help, "histogram")
        for (text, histogram) in zip(First.texts, family.histograms) {
            lines(family.name, [(First.labelName, text)], histogram)
        }
    }

    private mutating func lines(_ name: StaticString, _ labels: [(String, String)], _ histogram: HistogramMetric) {
        var count: UInt64 = 0
        for (index, cell) in histogram.cells.enumerated() {
            count += cell.value
            let isLast = index == histogram.bounds.count
            let bound = isLast ? "+Inf" : Self.number(Double(histogram.bounds[index]) / histogram.scale)
            line(name, "_bucket", labels + [("le", bound)], String(count))
        }
        line(name, "_sum", labels, Self.number(Double(histogram.sum.value) / histogram.scale))
        line(name, "_count", labels, String(count))
    }

    mutating func process(_ facts: GateMetrics.ProcessFacts) {
        head("process_cpu_seconds_total", "Processor time used.", "counter")
        line("process_cpu_seconds_total", "", [], Self.number(facts.cpuSeconds))
        head("process_resident_memory_bytes", "Memory in use.", "gauge")
        line("process_resident_memory_bytes", "", [], String(facts.residentBytes))
        head("process_open_fds", "Open files.", "gauge")
        line("process_open_fds", "", [], String(facts.openFiles))
        head("process_start_time_seconds", "When the process started, in seconds since 1970.", "gauge")
        line("process_start_time_seconds", "", [], String(facts.startTime))
    }

    private static func number(_ value: Double) -> String { Int64(exactly: value).map { String($0) } ?? "\(value)" }
}
