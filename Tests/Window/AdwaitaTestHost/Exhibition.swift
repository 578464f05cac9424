#if canImport(CAdwaita)
    import Adwaita
    import AirgapLink
    import CAdwaita
    import Glibc
    import Navigator
    import Screens
    import Tours

    /// Draws every page of a tour, as it is in the program, looks at it, and writes its picture where one is wanted.
    @MainActor
    enum Exhibition {
        /// Takes the looks and widths to draw, and a folder: `exhibition light,dark 360,1000 FOLDER`. Without a folder
        /// it only looks. With `seen` behind the folder windows are as high as usual, and not as high as the page.
        ///
        /// - Returns: a line `drawn SCREEN MODAL ALERT` for each page, then what is not as it has to be.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let looks = arguments.first?.split(separator: ",").map(String.init) ?? ["light", "dark"]
            let widths = arguments.dropFirst().first?.split(separator: ",").compactMap { Int($0) } ?? [360, 1_000]
            let folder = arguments.dropFirst(2).first
            // What moves is drawn as it is in the end.
            gtk_settings_get_default().map { Object(borrowed: $0).set("gtk-enable-animations", .bool(false)) }
            var lines: [String] = []
            var complaints: [String] = []
            for (kind, names) in [("", Tour.Names.usual), ("hostile-", .hostile)] {
                let exhibits = try Exhibit.all(of: names)
                lines += exhibits.map { "drawn " + $0.page.position.description }
                for look in looks {
                    ColorScheme(rawValue: look)?.apply()
                    for width in widths {
                        // Without pictures, hostile names are drawn where there is least room for them.
                        if folder == nil, !kind.isEmpty, (look, width) != (looks[0], widths[0]) { continue }
                        let room = Room(
                            application, width: width, look: look, prefix: kind, folder: folder,
                            isWhole: arguments.last != "seen")
                        for exhibit in exhibits { complaints += await room.show(exhibit) }
                        if kind.isEmpty { complaints += await room.showWork() }
                        room.close()
                    }
                }
            }
            return lines + complaints
        }

        /// A window of one width and look.
        @MainActor
        private struct Room {
            let stage: Stage
            let width: Int
            let look: String
            let prefix: String
            let folder: String?
            let isWhole: Bool

            /// Pixels that a picture is high at the most; pages that are longer are cut there.
            private static let highest = 2_600
            private var usual: Int { width < 600 ? 640 : 720 }

            init(
                _ application: Application, width: Int, look: String, prefix: String, folder: String?, isWhole: Bool
            ) {
                (self.width, self.look, self.prefix) = (width, look, prefix)
                (self.folder, self.isWhole) = (folder, isWhole)
                stage = Stage(application, width: width, height: width < 600 ? 640 : 720)
            }

            func close() { stage.window.destroy() }

            func show(_ exhibit: Exhibit) async -> [String] {
                stage.view.show(exhibit.page)
                return await draw(exhibit.name)
            }

            /// What is no page: a scan that goes on, work that takes a while, a question of the window itself.
            func showWork() async -> [String] {
                guard let scan = try? Exhibit.all(of: .usual).first(where: { $0.page.position == Position(.scan) })
                else {
                    return ["no page with a camera"]
                }
                stage.view.show(scan.page)
                var update = ScanUpdate()
                (update.have, update.need, update.codesPerSecond, update.secondsLeft) = (17, 40, 11.6, 2.2)
                update.outlines = [
                    [(0.3, 0.2), (0.7, 0.22), (0.68, 0.8), (0.29, 0.78)].map { ScanPoint(x: $0.0, y: $0.1) }
                ]
                stage.view.show(update)
                var complaints = await draw("Scan-working")
                update.advice = .holdStill
                stage.view.show(update)
                complaints += await draw("Scan-advice")
                stage.view.show(nil as ScanUpdate?)
                stage.view.tell(
                    failure: "The camera /dev/video0 gives no pictures: it was unplugged. Plug it in, and start again.")
                complaints += await draw("Scan-ended")
                stage.view.show(work: "Reading the codes")
                await pause(milliseconds: 400)
                complaints += await draw("Busy")
                stage.view.show(work: nil)
                stage.view.tell("Write the words down first, and say so.")
                await pause(milliseconds: 400)
                // A note lies over buttons for a while.
                complaints += await draw("Toast", hasContrast: false)
                stage.view.chooseSource { _ in }
                complaints += await draw("Source")
                return complaints
            }

            private func draw(_ name: String, hasContrast: Bool = true) async -> [String] {
                resize(to: usual)
                await stage.frames(2)
                await wait(upTo: 120_000) { stage.view.isComplete }
                await stage.frames(2)
                let missing =
                    stage.scrollers().filter(\.isMapped).map { scroller -> Int in
                        let adjustment = gtk_scrolled_window_get_vadjustment(scroller.pointer)
                        return Int(gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment))
                    }.max() ?? 0
                // Codes are as large as the window lets them be.
                let isCode = stage.find("code picture").contains(where: \.isMapped)
                if missing > 0, isWhole, !isCode {
                    resize(to: min(usual + missing, Self.highest))
                    await stage.frames(4)
                }
                var (picture, complaints) = await inspect(hasContrast)
                // The picture is of the last frame, and what lies where may be of the next: what is wrong stays so.
                for _ in 0..<50 where !complaints.isEmpty {
                    await pause(milliseconds: 100)
                    (picture, complaints) = await inspect(hasContrast)
                }
                let wide = stage.window.allocation.width
                if wide != width { complaints.append("the window is \(wide) wide") }
                if let folder {
                    let path = "\(folder)/\(prefix)\(name)-\(look)-\(width).png"
                    if picture?.save(to: path) != true { complaints.append("\(path) was not written") }
                }
                return complaints.map { "\(prefix)\(name) \(look) \(width): \($0)" }
            }

            /// A picture of what is shown now, and what is wrong with it.
            private func inspect(_ hasContrast: Bool) async -> (Snapshot?, [String]) {
                await pause(milliseconds: 10)
                await stage.frames(2)
                var picture = Snapshot(stage.window)
                for _ in 0..<10 where picture == nil {
                    await pause(milliseconds: 20)
                    await stage.frames(1)
                    picture = Snapshot(stage.window)
                }
                return (picture, Audit(stage.window, picture: hasContrast ? picture : nil).complaints)
            }

            private func resize(to height: Int) {
                stage.window.use {
                    gtk_window_set_default_size(UnsafeMutablePointer(OpaquePointer($0)), Int32(width), Int32(height))
                }
            }
        }
    }
#endif
