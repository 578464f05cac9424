import ForceFieldWire
import PictureService
import Testing

@Suite struct ReplyCheckTests {
    private static let code = SeenCode(
        content: [1], corners: [0, 0, 9, 0, 9, 9, 0, 9], symbol: .init(version: 40, level: 3, mask: 7))
    private static let picture = SeenPicture(width: 10, height: 10, codes: [code])

    @Test(
        "replies are written and read as they are",
        arguments: [
            FilmEvent.picture(picture), .skipped, .needsBytes, .ended, .lost,
            .damaged(PictureDamage(kind: .malformed, format: "PNG", reason: "the checksum", offset: 7), isOver: true),
        ])
    func roundTrip(event: FilmEvent) throws {
        let step = FilmStep(index: 3, consumed: 5, event: event)
        #expect(try FFV1.decode(FilmStep.self, from: FFV1.encode(step)) == step)
    }

    @Test("a reply for another picture, or of bytes that were not given, is refused")
    func place() throws {
        let step = FilmStep(index: 3, consumed: 5, event: .skipped)
        #expect(try step.checked(for: .init(index: 3, use: .skip), held: 5) == .skipped)
        #expect(throws: ReplyRefusal.wrongPlace) { try step.checked(for: .init(index: 2, use: .skip), held: 5) }
        #expect(throws: ReplyRefusal.wrongPlace) { try step.checked(for: .init(index: 3, use: .skip), held: 4) }
        // A film has no more pictures than bytes.
        let more = FilmStep(index: 6, consumed: 5, event: .skipped)
        #expect(throws: ReplyRefusal.wrongPlace) { try more.checked(for: .init(index: 6, use: .skip), held: 5) }
    }

    @Test("an answer to what was not asked is refused")
    func event() throws {
        let skipped = FilmStep(index: 0, consumed: 0, event: .skipped)
        #expect(throws: ReplyRefusal.wrongEvent) { try skipped.checked(for: .init(index: 0, use: .follow), held: 0) }
        let read = FilmStep(index: 0, consumed: 0, event: .picture(Self.picture))
        #expect(throws: ReplyRefusal.wrongEvent) { try read.checked(for: .init(index: 0, use: .skip), held: 0) }
    }

    @Test("pictures, codes and words that cannot be are refused")
    func impossible() throws {
        func refusal(_ change: (inout SeenPicture) -> Void) -> ReplyRefusal? {
            var picture = Self.picture
            change(&picture)
            do throws(ReplyRefusal) { try picture.check() } catch { return error }
            return nil
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.width = -1 } == .size)
        #expect(refusal { ($0.width, $0.height) = (1 << 20, 1 << 20) } == .size)
        #expect(refusal { $0.width = .max } == .size)
        #expect(refusal { $0.width = 0 } == .size)
        #expect(refusal { $0.codes = Array(repeating: Self.code, count: 65) } == .tooManyCodes(65))
        #expect(refusal { $0.codes[0].content = [UInt8](repeating: 0, count: 7_090) } == .contentTooLong(7_090))
        #expect(refusal { $0.codes[0].corners.removeLast() } == .corners)
        #expect(refusal { $0.codes[0].corners[0] = .min } == .corners)
        #expect(refusal { $0.codes[0].symbol?.version = 41 } == .symbol)
        #expect(refusal { $0.codes[0].symbol?.level = 4 } == .symbol)
        #expect(refusal { $0.codes[0].symbol?.mask = -1 } == .symbol)
        #expect(refusal { $0.damage = PictureDamage(kind: .tooLarge) } == .wrongEvent)
        let words = PictureDamage(kind: .malformed, reason: String(repeating: "a", count: 257))
        #expect(refusal { ($0.codes, $0.damage) = ([], words) } == .words)
    }

    @Test("the worker's words are shown as its own, without what could hide")
    func words() {
        let damage = PictureDamage(kind: .malformed, format: "PNG", reason: "ok\u{1b}[2J\u{202e}", offset: 7)
        #expect(
            damage.description
                == "The PNG picture is damaged at byte 7: its reader says “ok\\u{1b}[2J\\u{202e}”.")
    }

    @Test("the methods are an interface")
    func interface() throws {
        #expect(try PictureService.interface().methods.count == 5)
    }
}
