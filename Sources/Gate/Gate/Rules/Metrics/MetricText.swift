/// The text format of Prometheus, written once from top to bottom.
struct MetricText {
    private(set) var content = ""

    private mutating func head(_ name: StaticString, help: StaticString, type: StaticString) {
        content += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(
        _ name: StaticString, suffix: StaticString = "", labels: [(String, String)] = [], value: String
    ) {
        let text = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        content += "\(name)\(suffix)\(text.isEmpty ? "" : "{\(text)}") \(value)\n"
    }

    mutating func counter(_ counter: CounterMetric) {
        head(counter.name, help: counter.help, type: "counter")
        line(counter.name, value: String(counter.value))
    }

    mutating func counters<First>(_ family: CounterFamily<First>) {
        head(family.name, help: family.help, type: "counter")
        for (text, cell) in zip(First.texts, family.cells) {
            line(family.name, labels: [(First.labelName, text)], value: String(cell.value))
        }
    }

    /// Writes counters of two labels: only those of the many combinations that occurred.
    mutating func counters<First, Second>(_ family: CounterFamily2<First, Second>) {
        head(family.name, help: family.help, type: "counter")
        for (index, cell) in family.cells.enumerated() where cell.value > 0 {
            let (first, second) = index.quotientAndRemainder(dividingBy: family.stride)
            let labels = [(First.labelName, First.texts[first]), (Second.labelName, Second.texts[second])]
            line(family.name, labels: labels, value: String(cell.value))
        }
    }

    mutating func counters<First, Second, Reason>(_ family: ReasonedCounterFamily<First, Second, Reason>) {
        head(family.name, help: family.help, type: "counter")
        for (index, cell) in family.cells.enumerated() where cell.value > 0 {
            let (first, rest) = index.quotientAndRemainder(dividingBy: family.strides.0)
            let (second, third) = rest.quotientAndRemainder(dividingBy: family.strides.1)
            let labels = [
                (First.labelName, First.texts[first]), (Second.labelName, Second.texts[second]),
                (Reason.labelName, Reason.texts[third]),
            ]
            line(family.name, labels: labels, value: String(cell.value))
        }
    }

    mutating func gauge(_ gauge: GaugeMetric) {
        head(gauge.name, help: gauge.help, type: "gauge")
        line(gauge.name, value: String(gauge.value))
    }

    mutating func gauges<First>(_ family: GaugeFamily<First>) {
        head(family.name, help: family.help, type: "gauge")
        for (text, gauge) in zip(First.texts, family.gauges) {
            line(family.name, labels: [(First.labelName, text)], value: String(gauge.value))
        }
    }

    mutating func histogram(_ histogram: HistogramMetric, name: StaticString, help: StaticString) {
        head(name, help: help, type: "histogram")
        lines(of: histogram, name: name, labels: [])
    }

    mutating func histograms<First>(_ family: HistogramFamily<First>) {
        head(family.name, help: family.help, type: "histogram")
        for (text, histogram) in zip(First.texts, family.histograms) {
            lines(of: histogram, name: family.name, labels: [(First.labelName, text)])
        }
    }

    private mutating func lines(of histogram: HistogramMetric, name: StaticString, labels: [(String, String)]) {
        var count: UInt64 = 0
        for (index, cell) in histogram.cells.enumerated() {
            count += cell.value
            let isLast = index == histogram.bounds.count
            let bound = isLast ? "+Inf" : Self.number(Double(histogram.bounds[index]) / histogram.scale)
            line(name, suffix: "_bucket", labels: labels + [("le", bound)], value: String(count))
        }
        line(name, suffix: "_sum", labels: labels, value: Self.number(Double(histogram.sum.value) / histogram.scale))
        line(name, suffix: "_count", labels: labels, value: String(count))
    }

    mutating func process(_ facts: GateMetrics.ProcessFacts) {
        head("process_cpu_seconds_total", help: "Processor time used.", type: "counter")
        line("process_cpu_seconds_total", value: Self.number(facts.cpuTime / .seconds(1)))
        head("process_resident_memory_bytes", help: "Memory in use.", type: "gauge")
        line("process_resident_memory_bytes", value: String(facts.residentBytes))
        head("process_open_fds", help: "Open files.", type: "gauge")
        line("process_open_fds", value: String(facts.openFiles))
        head("process_start_time_seconds", help: "When the process started, in seconds since 1970.", type: "gauge")
        line("process_start_time_seconds", value: String(facts.startTime.seconds))
    }

    private static func number(_ value: Double) -> String { Int64(exactly: value).map { String($0) } ?? "\(value)" }
}
