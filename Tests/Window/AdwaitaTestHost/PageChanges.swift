#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Glibc
    import Screens

    @MainActor
    enum PageChanges {
        /// Changes pages as often as the argument says, and tells what is left of them.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let count = arguments.first.flatMap { Int($0) } ?? 1_000
            let stage = Stage(application)
            let pages = [
                Samples.keys, Samples.fields, Samples.sheet, Samples.transaction, Samples.alert,
                Samples.code(moving: true),
                Samples.scanner, Samples.empty,
            ]
            func round(_ changes: Int) async {
                for number in 0..<changes {
                    stage.view.show(pages[number % pages.count])
                    // Each page is drawn now and then, with all that drawing brings along.
                    if number % 64 == 63 { await stage.frames() }
                    if number % 16 == 0 { Living.watchAll(stage.window) }
                }
                stage.view.show(Samples.keys)
                await stage.frames(2)
                await pause(milliseconds: 300)
                Living.watchAll(stage.window)
            }
            // The first time, caches are filled.
            await round(max(count / 10, 2 * pages.count))
            let before = (Living.count, descriptors(), memory())
            await round(count)
            let after = (Living.count, descriptors(), memory())
            let growth = (after.2 - before.2) / count
            let isFlat = growth < 1_024
            return [
                "objects left: \(after.0 - before.0)", "descriptors left: \(after.1 - before.1)",
                isFlat ? "memory is given back" : "\(growth) bytes of memory kept for each page",
            ]
        }

        private static func descriptors() -> Int {
            guard let folder = opendir("/proc/self/fd") else { return -1 }
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }

        /// Bytes of this program that are in memory.
        private static func memory() -> Int {
            let pages = Measures.read("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        /// What comes below all else is moved into sight, but for pages that have to be read.
        static func below(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            var lines: [String] = []
            for mustBeRead in [false, true] {
                var page = Samples.keys
                page.mustBeRead = mustBeRead
                page.body = (0..<40).map { .text("Line \($0)") }
                stage.view.show(Samples.empty)
                stage.view.show(page)
                await stage.frames(2)
                func isMoved() -> Bool {
                    let adjustment = stage.scrollers().first.map { gtk_scrolled_window_get_vadjustment($0.pointer) }
                    return adjustment.map { gtk_adjustment_get_value($0) > 100 } ?? false
                }
                func tell(_ what: String) { lines.append("\(what): \(isMoved() ? "moved" : "as it was")") }
                page.body.insert(.text("Above"), at: 0)
                stage.view.show(page)
                await pause(milliseconds: 200)
                tell("above")
                page.body.append(.text("Below"))
                stage.view.show(page)
                await pause(milliseconds: 200)
                if !mustBeRead { await wait(upTo: 120_000, isMoved) }
                tell("below")
            }
            stage.window.destroy()
            return lines
        }

        /// The focus and what was typed stay where the same page comes again.
        static func focus(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            stage.view.show(Samples.fields)
            await stage.frames(2)
            var lines = ["focus: \(stage.window.focusedName ?? "none")"]
            func entry() -> String {
                stage.find("field name").first.map { String(cString: gtk_editable_get_text($0.pointer)) } ?? "gone"
            }
            stage.find("field name").first?.use { gtk_editable_set_text(OpaquePointer($0), "Typed") }
            var page = Samples.fields
            page.shield.text = "Another word"
            page.bar[0].obstacle = "Another obstacle"
            page.body[0] = .text("Other words above")
            page.body.insert(.card(.notice, title: "A note", text: "More above"), at: 1)
            stage.view.show(page)
            await stage.frames(2)
            lines.append("focus: \(stage.window.focusedName ?? "none"), text: \(entry())")
            _ = stage.window.focus(named: "field path")
            stage.view.show(Samples.fields)
            lines.append("focus: \(stage.window.focusedName ?? "none"), text: \(entry())")
            stage.view.show(Samples.keys)
            stage.view.show(Samples.fields)
            lines.append("focus: \(stage.window.focusedName ?? "none"), text: \(entry())")
            stage.window.destroy()
            return lines
        }
    }
#endif
