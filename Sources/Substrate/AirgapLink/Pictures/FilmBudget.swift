/// What reading a film may cost. Each picture has its own bounds besides; these are for all of a film's pictures
/// together, so that a film of millions of pictures, or a reader that lies about them, comes to an end.
public struct FilmBudget: Hashable, Sendable {
    /// How long readers may work: the time for which their answers are waited for, all together. Its warden holds each
    /// to as much processor time.
    public var time: Duration
    /// Pictures that were read, skipped or damaged.
    public var pictures: UInt64
    /// The pixels of all pictures that are read, by the sizes that their reader tells.
    public var pixels: UInt64

    /// What a budget is made of.
    public enum Part: String, Hashable, Sendable { case time, pictures, pixels }

    /// Minutes that the longest film may take unless the user gives more.
    public static let defaultMinutes = 5
    /// The minutes that may be given: as long as a worker may be given processor time.
    public static let minutes = 1...1_440

    private static let picturesPerMinute: UInt64 = 100_000
    private static let pixelsPerMinute: UInt64 = 16 << 30

    /// - Parameter minutes: of ``FilmBudget/minutes``; pictures and pixels are in proportion.
    public init(minutes: Int = defaultMinutes) {
        let minutes = min(max(minutes, Self.minutes.lowerBound), Self.minutes.upperBound)
        time = .seconds(60 * minutes)
        pictures = UInt64(minutes) * Self.picturesPerMinute
        pixels = UInt64(minutes) * Self.pixelsPerMinute
    }

    /// Whole seconds of processor time for one reader.
    var processorSeconds: UInt64 { UInt64(max(1, time.components.seconds)) }
}

/// A film that has used up a part of its budget, and is read no further.
public struct SpentBudget: Error, Hashable, Sendable {
    /// What is used up.
    public var part: FilmBudget.Part
    /// What there was.
    public var budget: FilmBudget
    /// The pictures of the film that were passed.
    public var pictures: UInt64
}

extension SpentBudget: CustomStringConvertible {
    /// What is used up, and how much there was.
    public var description: String {
        let limit =
            switch part {
            case .time: "\(budget.time.components.seconds) s of its readers' work"
            case .pictures: "\(budget.pictures) pictures"
            case .pixels: "\(budget.pixels) pixels"
            }
        return "The film has used up its budget of \(limit); what comes behind picture \(pictures) is not read."
    }
}

/// What a film has cost so far.
struct FilmSpending {
    private(set) var time = Duration.zero
    private(set) var pictures: UInt64 = 0
    private(set) var pixels: UInt64 = 0

    mutating func add(_ time: Duration) { self.time += time }

    mutating func addPicture() { pictures += 1 }

    /// - Parameters: of a picture, as checked.
    mutating func addPixels(width: Int, height: Int) { pixels += UInt64(max(0, width)) * UInt64(max(0, height)) }

    /// The first part that is used up.
    func exceeded(of budget: FilmBudget) -> FilmBudget.Part? {
        if time >= budget.time { return .time }
        if pictures >= budget.pictures { return .pictures }
        return pixels >= budget.pixels ? .pixels : nil
    }

    /// How far the part that is used up most is used up, 0 to 1.
    func share(of budget: FilmBudget) -> Double {
        min(
            1,
            max(
                time / budget.time, Double(pictures) / Double(budget.pictures), Double(pixels) / Double(budget.pixels)))
    }
}
