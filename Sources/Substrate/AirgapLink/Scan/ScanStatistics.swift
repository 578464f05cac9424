import Airgap

/// Counts what pictures bring, of late, and says what would help. Times are told, since the scan began.
struct ScanStatistics {
    /// What one picture has brought.
    struct Sample {
        /// Codes in it, different ones.
        var codes = 0
        /// Codes that brought a part which was not there.
        var new = 0
        /// Codes that did not fit the others.
        var refused = 0
        /// The side of the largest code as a share of the picture's shorter side; nil where nobody knows.
        var codeShare: Double?
        /// The picture's brightness, 0 to 255; nil where nobody knows.
        var brightness: Int?
    }

    private var samples: [(time: Duration, sample: Sample)] = []
    private var lastNew: Duration?
    private var advice = SteadyAdvice()
    private let givesAdvice: Bool

    /// How long a picture counts.
    private static let window = Duration.seconds(2)
    /// Pictures that are remembered; films are read faster than a camera takes them.
    private static let sampleLimit = 400
    /// Pictures before anything is said of them.
    private static let leastSamples = 5

    /// - Parameter givesAdvice: whether somebody holds a camera who could follow it.
    init(givesAdvice: Bool) { self.givesAdvice = givesAdvice }

    mutating func add(_ sample: Sample, at now: Duration) {
        samples.append((now, sample))
        if samples.count > Self.sampleLimit { samples.removeFirst(samples.count - Self.sampleLimit) }
        if sample.new > 0 { lastNew = now }
        pass(now)
    }

    /// Says that time has passed without a picture.
    mutating func pass(_ now: Duration) {
        samples.removeAll { $0.time < now - Self.window }
        if givesAdvice { advice.consider(wanted(at: now), at: now) }
    }

    /// Puts what is known into an update.
    mutating func fill(_ update: inout ScanUpdate, _ progress: TransferProgress?, at now: Duration) {
        (update.have, update.need) = (progress?.distinct, progress?.needed)
        update.advice = advice.shown
        (update.codesPerSecond, update.secondsLeft) = (nil, nil)
        guard let first = samples.first?.time, now - first >= .milliseconds(500) else { return }
        let seconds = (now - first) / .seconds(1)
        update.codesPerSecond = Double(samples.reduce(0) { $0 + $1.sample.codes }) / seconds
        let newPerSecond = Double(samples.reduce(0) { $0 + $1.sample.new }) / seconds
        if let progress, newPerSecond > 0 {
            update.secondsLeft = Double(max(0, progress.needed - progress.distinct)) / newPerSecond
        }
    }

    private func wanted(at now: Duration) -> ScanAdvice? {
        let count = samples.count
        guard count >= Self.leastSamples else { return nil }
        let read = samples.filter { $0.sample.codes > 0 }
        let several = samples.count { $0.sample.codes > 1 }
        let refused = samples.count { $0.sample.refused > 0 }
        if 3 * several >= count { return .oneCodeOnly }
        if 3 * refused >= count { return .otherTransfer }
        if read.isEmpty { return unseen }
        if 5 * read.count >= 3 * count {
            return lastNew.map { now - $0 >= .seconds(4) } == true ? .nothingNew : nil
        }
        let shares = read.compactMap(\.sample.codeShare)
        let isSmall = !shares.isEmpty && shares.reduce(0, +) / Double(shares.count) < 0.25
        return isSmall ? .moveCloser : .holdStill
    }

    /// What helps where no code is seen at all.
    private var unseen: ScanAdvice {
        let brightness = samples.compactMap(\.sample.brightness)
        guard !brightness.isEmpty else { return .pointAtCode }
        let mean = brightness.reduce(0, +) / brightness.count
        if mean < 40 { return .moreLight }
        return mean > 225 ? .lessLight : .pointAtCode
    }
}
