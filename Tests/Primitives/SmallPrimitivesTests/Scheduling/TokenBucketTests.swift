import Testing

@testable import Scheduling

@Suite("Token buckets")
struct TokenBucketTests {
    private let start = ContinuousClock.now

    private func taken(_ bucket: inout TokenBucket<ContinuousClock.Instant>, at time: Duration) -> Int {
        var count = 0
        while bucket.take(at: start + time) { count += 1 }
        return count
    }

    @Test("a bucket lets through what its rate allows, and never more at once")
    func rate() {
        var bucket = TokenBucket<ContinuousClock.Instant>(burst: 2, perSecond: 2)
        let counts = [0, 400, 499, 500, 1_500, 1_000_000].map { taken(&bucket, at: .milliseconds($0)) }
        #expect(counts == [2, 0, 0, 1, 2, 2])
    }

    @Test("a burst is more than a second's worth where that was asked for, or less")
    func burst() {
        var large = TokenBucket<ContinuousClock.Instant>(burst: 200, perSecond: 100)
        #expect([0, 1, 100].map { taken(&large, at: .seconds($0)) } == [200, 100, 200])
        var small = TokenBucket<ContinuousClock.Instant>(burst: 1, perSecond: 1_000)
        #expect([0, 1, 2].map { taken(&small, at: .milliseconds($0)) } == [1, 1, 1])
    }

    @Test("to ask counts nothing")
    func asking() {
        var bucket = TokenBucket<ContinuousClock.Instant>(burst: 1, perSecond: 1)
        #expect((0..<3).allSatisfy { _ in bucket.has(at: start) })
        #expect(bucket.take(at: start) && !bucket.has(at: start))
    }

    @Test("time that goes backwards adds nothing, now or later")
    func backwards() {
        var bucket = TokenBucket<ContinuousClock.Instant>(burst: 3, perSecond: 1)
        #expect(taken(&bucket, at: .seconds(10)) == 3)
        #expect(taken(&bucket, at: .zero) == 0)
        #expect(taken(&bucket, at: .seconds(10)) == 0)
        #expect(taken(&bucket, at: .seconds(11)) == 1)
    }

    @Test("what is left of a token is kept, however often it is asked")
    func fractions() {
        var bucket = TokenBucket<ContinuousClock.Instant>(burst: 1, perSecond: 3)
        var count = 0
        for nanoseconds in stride(from: 0, through: 1_000_000_000, by: 1_000_000) {
            if bucket.take(at: start + .nanoseconds(nanoseconds)) { count += 1 }
        }
        #expect(count == 3)
    }

    @Test("a bucket for nothing lets nothing through, and one that is never filled its burst alone")
    func nothing() {
        for burst in [0, -1, Int.min] {
            var bucket = TokenBucket<ContinuousClock.Instant>(burst: burst)
            #expect([0, 1_000].map { taken(&bucket, at: .seconds($0)) } == [0, 0])
        }
        var once = TokenBucket<ContinuousClock.Instant>(burst: 1, perSecond: 0)
        #expect([0, 1_000].map { taken(&once, at: .seconds($0)) } == [1, 0])
        var large = TokenBucket<ContinuousClock.Instant>(burst: .max)
        #expect(taken(&large, at: .zero) == 1_000_000)
    }

    @Test("the longest times and the greatest rates do not overflow")
    func extremes() {
        var bucket = TokenBucket<ContinuousClock.Instant>(burst: 1_000_000, perSecond: 1_000_000)
        #expect(taken(&bucket, at: .zero) == 1_000_000)
        #expect(taken(&bucket, at: .seconds(999_999)) == 1_000_000)
        #expect(taken(&bucket, at: .seconds(Int64.max / 4)) == 1_000_000)
    }
}
