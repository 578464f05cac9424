import PictureService
import TestSupport
import Testing

@testable import Airgap
@testable import AirgapLink

@Suite("Advice on a scan")
struct ScanAdviceTests {
    private typealias Sample = ScanStatistics.Sample

    /// What is advised after seconds of pictures, thirty a second.
    private func advice(seconds: Int = 6, _ sample: (Int) -> Sample) -> ScanAdvice? {
        var statistics = ScanStatistics(givesAdvice: true)
        for index in 0..<30 * seconds { statistics.add(sample(index), at: .milliseconds(33 * index)) }
        var update = ScanUpdate()
        statistics.fill(&update, nil, at: .milliseconds(33 * 30 * seconds))
        return update.advice
    }

    @Test("pictures without a code are told apart by their brightness")
    func unseen() {
        #expect(advice { _ in Sample(brightness: 128) } == .pointAtCode)
        #expect(advice { _ in Sample() } == .pointAtCode)
        #expect(advice { _ in Sample(brightness: 12) } == .moreLight)
        #expect(advice { _ in Sample(brightness: 250) } == .lessLight)
    }

    @Test("a code that is read now and then is too small, or is not held still")
    func missed() {
        #expect(advice { Sample(codes: $0 % 4 == 0 ? 1 : 0, new: 1, codeShare: 0.15) } == .moveCloser)
        #expect(advice { Sample(codes: $0 % 4 == 0 ? 1 : 0, new: 1, codeShare: 0.6) } == .holdStill)
    }

    @Test("codes that are read want no advice, but where nothing new comes, several do or they do not fit")
    func read() {
        #expect(advice { _ in Sample(codes: 1, new: 1) } == nil)
        #expect(advice(seconds: 9) { Sample(codes: 1, new: $0 == 0 ? 1 : 0) } == .nothingNew)
        #expect(advice { _ in Sample(codes: 2) } == .oneCodeOnly)
        #expect(advice { _ in Sample(codes: 1, refused: 1) } == .otherTransfer)
    }

    @Test("nothing is said of the first moments, and nothing at all of films")
    func silence() {
        #expect(advice(seconds: 0) { _ in Sample() } == nil)
        var statistics = ScanStatistics(givesAdvice: false)
        for index in 0..<200 { statistics.add(Sample(), at: .milliseconds(33 * index)) }
        var update = ScanUpdate()
        statistics.fill(&update, nil, at: .seconds(7))
        #expect(update.advice == nil)
    }

    @Test("advice does not flicker where what is right changes with each picture")
    func steady() {
        var steady = SteadyAdvice()
        for index in 0..<300 {
            steady.consider(index.isMultiple(of: 2) ? .holdStill : .moveCloser, at: .milliseconds(33 * index))
            #expect(steady.shown == nil)
        }
        for index in 0..<30 { steady.consider(.moveCloser, at: .milliseconds(20_000 + 33 * index)) }
        #expect(steady.shown == .moveCloser)
        // Right for a while, and shown only when the first could be read.
        steady.consider(nil, at: .milliseconds(21_000))
        steady.consider(nil, at: .milliseconds(21_900))
        #expect(steady.shown == .moveCloser)
        steady.consider(nil, at: .milliseconds(23_000))
        #expect(steady.shown == nil)
    }

    @Test("the rate and the time left are those of the last seconds")
    func rates() throws {
        var statistics = ScanStatistics(givesAdvice: true)
        for index in 0..<100 {
            statistics.add(Sample(codes: 1, new: index.isMultiple(of: 2) ? 1 : 0), at: .milliseconds(100 * index))
        }
        var update = ScanUpdate()
        statistics.fill(&update, TransferProgress(distinct: 50, needed: 60), at: .milliseconds(9_900))
        #expect(update.have == 50 && update.need == 60)
        #expect(abs(try #require(update.codesPerSecond) - 10) < 1)
        #expect(abs(try #require(update.secondsLeft) - 2) < 0.3)
    }

    @Test("each piece of advice has words of its own")
    func words() {
        #expect(Set(ScanAdvice.allCases.map(\.description)).count == ScanAdvice.allCases.count)
    }

    @Test("a frame becomes a small picture of the same scene, and bytes that are no frame become none")
    func greyPictures() throws {
        let row = (0..<1280).map { UInt8(truncatingIfNeeded: $0 / 5) }
        let frame = CameraFrame(
            format: .grey, width: 1280, height: 720, stride: 1280, bytes: Array(repeatElement(row, count: 720).joined())
        )
        let picture = try #require(GreyPicture(frame))
        #expect(picture.width == 426 && picture.height == 240 && picture.pixels.count == 426 * 240)
        #expect(picture.pixels.prefix(3) == [0, 0, 1] && picture.pixels[425] == 255)
        let colour = CameraFrame(format: .yuyv, width: 2, height: 1, stride: 6, bytes: [7, 99, 9, 98])
        #expect(GreyPicture(colour)?.pixels == nil)
        #expect(
            GreyPicture(CameraFrame(format: .yuyv, width: 2, height: 1, stride: 4, bytes: [7, 99, 9, 98]))?.pixels == [
                7, 9,
            ])
        #expect(GreyPicture(CameraFrame(format: .file, width: 2, height: 1, stride: 2, bytes: [1, 2])) == nil)
    }

    @Test("no size that a driver could claim traps")
    func claims() {
        var random = SplitMix64(state: 16)
        let sides = [0, 1, 2, 3, 479, 481, 1 << 14, 1 << 20, .max, .min, -1]
        for _ in 0..<5_000 {
            func side() -> Int { sides.randomElement(using: &random) ?? 0 }
            let frame = CameraFrame(
                format: Bool.random(using: &random) ? .grey : .yuyv, width: side(), height: side(), stride: side(),
                bytes: [UInt8](repeating: 1, count: Int.random(in: 0...2_000, using: &random)))
            if let picture = GreyPicture(frame) { #expect(picture.pixels.count == picture.width * picture.height) }
        }
    }
}
