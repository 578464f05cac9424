/// What is measured in one run.
struct BenchPlan: Sendable {
    /// Absolute paths of bench-echo.
    let staticWorker: String?
    let dynamicWorker: String?
    let peers: [Peer]
    let count: Int
    /// Whether only calls are measured, and neither starts nor memory.
    let callsOnly: Bool

    struct Answer: Encodable, Sendable {
        var comparisons: [Comparison]
        var idle: IdleMemory?
        var notMeasured: [String]
    }

    func measure() async throws -> Answer {
        var answer = Answer(comparisons: [], idle: nil, notMeasured: [])
        if let staticWorker {
            try CommandFiles.requireWorker(staticWorker)
            let figures = ForceFieldFigures(worker: staticWorker, count: count)
            if !callsOnly {
                answer.comparisons += try await figures.cold(beside: peers)
                answer.comparisons += try await figures.layers()
            }
            answer.comparisons += try await figures.warm()
            answer.comparisons += try await figures.pooled()
            if callsOnly { return answer }
            answer.idle = try figures.idleMemory()
            if answer.idle == nil { answer.notMeasured.append("idle memory: only root may look at workers") }
        } else {
            answer.notMeasured.append("starts, calls and memory: give --static-worker")
        }
        if let dynamicWorker {
            try CommandFiles.requireWorker(dynamicWorker)
            answer.comparisons += try await ForceFieldFigures(worker: dynamicWorker, count: count).dynamicStart()
        } else {
            answer.notMeasured.append("dynamic start: give --dynamic-worker")
        }
        return answer
    }
}
