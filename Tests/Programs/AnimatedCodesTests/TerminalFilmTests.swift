import AnimatedCodes
import Testing

@Suite("Films in a terminal")
struct TerminalFilmTests {
    @Test(
        "each round is a fifth slower, down to four codes a second; one that a person has made slower stays",
        arguments: [(60, 48), (15, 12), (12, 9), (5, 4), (4, 4), (3, 3), (1, 1)])
    func slower(_ speed: Int, _ next: Int) {
        #expect(TerminalFilm.slower(than: speed) == next)
    }

    @Test("rounds never make a film faster, and end at a speed that stays")
    func rounds() {
        for speed in 1...60 {
            var last = speed
            for _ in 0..<60 {
                let next = TerminalFilm.slower(than: last)
                #expect(next <= last && next >= 1)
                last = next
            }
            #expect(last == min(speed, 4))
        }
    }

    @Test(
        "a press makes it faster by one code a second, up to sixty",
        arguments: [(1, 2), (15, 16), (59, 60), (60, 60)])
    func faster(_ speed: Int, _ next: Int) {
        #expect(TerminalFilm.faster(than: speed) == next)
    }
}
