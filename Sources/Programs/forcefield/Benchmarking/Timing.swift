/// Many times of one thing, in microseconds.
struct Timing: Encodable {
    let name: String
    let count: Int
    let median: Double
    let p99: Double

    init(_ name: String, _ samples: [Double]) {
        let sorted = samples.sorted()
        self.name = name
        count = sorted.count
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        p99 = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }

    static func shown(_ microseconds: Double) -> String {
        switch microseconds {
        case 10_000...: "\(rounded(microseconds / 1_000, 1)) ms"
        case 1_000...: "\(rounded(microseconds / 1_000, 2)) ms"
        default: "\(rounded(microseconds, 1)) µs"
        }
    }

    static func rounded(_ value: Double, _ digits: Int) -> String {
        let scale = digits == 1 ? 10.0 : 100.0
        return "\((value * scale).rounded() / scale)"
    }
}

/// A figure beside what it is held against.
struct Comparison: Encodable {
    let figure: String
    let ours: Timing
    let other: Timing?
    /// Median of ours by that of the other.
    let ratio: Double?
    /// What the ratio may be at most.
    let bar: Double?

    init(_ figure: String, _ ours: Timing, against other: Timing? = nil, bar: Double? = nil) {
        self.figure = figure
        self.ours = ours
        self.other = other
        ratio = other.map { ours.median / max($0.median, 0.001) }
        self.bar = bar
    }

    static let header = """
        | figure | median | p99 | beside | median | p99 | ratio | bar |
        |---|---|---|---|---|---|---|---|
        """

    /// A row of a table in Markdown.
    var row: String {
        var cells = [figure, Timing.shown(ours.median), Timing.shown(ours.p99)]
        if let other {
            cells += [other.name, Timing.shown(other.median), Timing.shown(other.p99)]
        } else {
            cells += ["", "", ""]
        }
        cells.append(ratio.map { Timing.rounded($0, 2) } ?? "")
        cells.append(bar.map { "≤ " + Timing.rounded($0, 2) } ?? "")
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// Runs things in turn, so that what disturbs one disturbs all.
enum Alternation {
    /// - Returns: the samples of each, in its order.
    static func samples(_ count: Int, _ things: [() async throws -> Duration]) async throws -> [[Double]] {
        var samples = things.map { _ in [Double]() }
        for round in 0..<count + warmUp {
            // In an order of chance: what a sandbox leaves to be cleared away takes time from whatever comes next.
            for index in things.indices.shuffled() {
                let time = try await things[index]()
                if round >= warmUp { samples[index].append(time / .microseconds(1)) }
            }
        }
        return samples
    }

    /// Rounds that do not count.
    private static let warmUp = 3
}
