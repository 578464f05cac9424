import Airgap
import PictureService

/// The reading of one scan, on its thread.
struct ScanReading {
    let names: [String]
    let terms: PictureReader.Terms
    let limit: Int
    let isWhole: @Sendable ([UInt8]) -> Bool
    let openCamera: @Sendable (String) throws(LinkError) -> Camera
    let now: @Sendable () -> Duration
    let run: ScanRun
    let tell: @Sendable (ScanUpdate) -> Void

    /// What has become known while it is read.
    private final class Progress {
        var receiver: LinkReceiver
        var statistics: ScanStatistics
        var update = ScanUpdate()
        /// The brightness of the newest frame.
        var brightness: Int?
        var firstFailure: (path: String, failure: PictureFailure)?
        /// The reader with which the reading of a source ended before the source did.
        var abandoned: (path: String, loss: PictureLoss)?

        init(limit: Int, givesAdvice: Bool) {
            receiver = LinkReceiver(limit: limit)
            statistics = ScanStatistics(givesAdvice: givesAdvice)
        }

        /// Forgets what was collected, and shows the picture on.
        func begin(anew progress: Progress) {
            let picture = update.picture
            (receiver, statistics) = (progress.receiver, progress.statistics)
            (firstFailure, abandoned) = (nil, nil)
            update = ScanUpdate()
            update.picture = picture
        }
    }

    private var hasCamera: Bool { names.contains(where: LinkInput.isCamera) }
    private var path: String { names.first ?? "" }

    /// Reads until there is a payload or nothing more comes.
    ///
    /// - Returns: nil where the run was stopped.
    func payload() -> Result<[UInt8], ScanError>? {
        let progress = Progress(limit: limit, givesAdvice: hasCamera)
        var input = input(showing: progress)
        do throws(ScanError) {
            while run.isWanted {
                if run.takeRestart() {
                    progress.begin(anew: Progress(limit: limit, givesAdvice: hasCamera))
                    if !hasCamera { input = self.input(showing: progress) }
                    tell(progress.update)
                }
                guard let item = try next(&input) else { return .success(try rest(of: progress)) }
                if let payload = try take(item, progress) { return .success(payload) }
            }
            return nil
        } catch { return .failure(error) }
    }

    private func input(showing progress: Progress) -> LinkInput {
        var input = LinkInput(names, reader: PictureReader(terms))
        input.openCamera = openCamera
        input.onFrame = { frame in
            guard let picture = GreyPicture(frame) else { return }
            progress.brightness = picture.brightness
            progress.update.picture = picture
            // The picture first: reading it takes as long as a person sees.
            tell(progress.update)
        }
        return input
    }

    private func next(_ input: inout LinkInput) throws(ScanError) -> LinkItem? {
        do throws(LinkError) { return try input.next() } catch { throw .link(error) }
    }

    private func take(_ item: LinkItem, _ progress: Progress) throws(ScanError) -> [UInt8]? {
        var sample = ScanStatistics.Sample()
        sample.brightness = progress.brightness
        var codes: [SeenCode] = []
        switch item {
        case .nothing:
            progress.statistics.pass(now())
            return show(progress)
        case .unread(let path, let failure):
            progress.firstFailure = progress.firstFailure ?? (path, failure)
            if case .overBudget = failure { throw .unread(path: path, failure) }
            if case .lost(let loss) = failure, loss.isLast { progress.abandoned = (path, loss) }
            progress.update.outlines = []
        case .content(let content): codes = [SeenCode(content: content)]
        case .picture(let seen):
            codes = seen.codes.distinct
            progress.update.outlines = seen.codes.compactMap {
                ScanUpdate.outline($0.corners, width: seen.width, height: seen.height)
            }
            sample.codeShare = seen.largestShare
            guard hasCamera || codes.count < 2 else {
                throw .severalCodes(path: path, count: codes.count)
            }
        }
        sample.codes = codes.count
        // Of several codes nobody knows which one is meant.
        let payload = codes.count == 1 ? read(codes[0], into: progress, counting: &sample) : nil
        progress.statistics.add(sample, at: now())
        return payload ?? show(progress)
    }

    private func read(
        _ code: SeenCode, into progress: Progress, counting sample: inout ScanStatistics.Sample
    ) -> [UInt8]? {
        if code.part == nil, isWhole(code.content) { return code.content }
        let before = progress.receiver.counts
        let payload = progress.receiver.take(code)?.payload
        sample.new = progress.receiver.counts.distinct - before.distinct
        sample.refused = progress.receiver.counts.refused - before.refused
        return payload
    }

    /// - Returns: nil, for there is no payload yet.
    private func show(_ progress: Progress) -> [UInt8]? {
        progress.statistics.fill(&progress.update, progress.receiver.progress, at: now())
        tell(progress.update)
        return nil
    }

    /// What is whole at the end although no further frame vouches for it.
    private func rest(of progress: Progress) throws(ScanError) -> [UInt8] {
        do throws(TransferError) {
            if let payload = try progress.receiver.finish().first { return payload }
            throw .unableToDecode(distinct: 0, needed: 1)
        } catch {
            // Of codes that nobody looked at it is not known that they are missing.
            if let (path, loss) = progress.abandoned { throw .unread(path: path, .lost(loss)) }
            if progress.receiver.counts.codes > 0 {
                throw .incomplete(path: path, progress.receiver.lastRefusal ?? error)
            }
            if let (path, failure) = progress.firstFailure { throw .unread(path: path, failure) }
            throw .noCode(path: path)
        }
    }
}

extension [SeenCode] {
    /// Each content once.
    fileprivate var distinct: [SeenCode] {
        reduce(into: []) { distinct, code in
            if !distinct.contains(where: { $0.content == code.content }) { distinct.append(code) }
        }
    }
}

extension SeenPicture {
    /// The longest side of a code as a share of the picture's shorter side; nil where no corners are told.
    fileprivate var largestShare: Double? {
        codes.compactMap { code -> Double? in
            guard code.corners.count == 8, min(width, height) > 0 else { return nil }
            let xs = stride(from: 0, to: 8, by: 2).map { code.corners[$0] }
            let ys = stride(from: 1, to: 8, by: 2).map { code.corners[$0] }
            // Corners are within bounds that were checked, and differences do not overflow.
            let side = max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
            return Double(side) / Double(min(width, height))
        }.max()
    }
}
