#if canImport(CGIO)
    import Navigator
    import Testing

    @Suite("Every page in a window", .enabled(if: HostScreen.obstacle == nil, "Xvfb is missing: apt-get install xvfb"))
    struct ExhibitionTests {
        @Test(
            "each screen, sheet and alert is drawn, light and dark, narrow and wide, with usual names and hostile ones, and nothing on it is cut, wider than the window, pale, or told by a colour alone",
            .timeLimit(.minutes(30)))
        func pages() async throws {
            let lines = try await HostScreen().ask("exhibition", "light,dark", "360,1000")
            let places = lines.filter { $0.hasPrefix("drawn ") }.map { line in
                line.dropFirst("drawn ".count).split { $0 == "/" || $0 == "!" }.map(String.init)
            }
            #expect(Set(Screen.allCases.map(\.rawValue)).subtracting(places.map { $0[0] }) == [])
            #expect(Set(Modal.allCases.map(\.rawValue)).subtracting(places.map { $0[1] }) == [])
            #expect(Set(Alert.allCases.map(\.rawValue)).subtracting(places.compactMap { $0.dropFirst(2).first }) == [])
            #expect(lines.filter { !$0.hasPrefix("drawn ") } == [])
        }
    }
#endif
