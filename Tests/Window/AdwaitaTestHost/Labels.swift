#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Screens

    @MainActor
    enum Labels {
        /// What labels make of texts that look like markup, mnemonics or ends.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            for text in ["<b>bold</b>", "_Sign &amp; <span", "a\0b"] {
                let label = Label(text)
                let layout = gtk_label_get_layout(label.pointer)
                let shown = String(cString: pango_layout_get_text(layout))
                lines.append(
                    "\(shown) markup \(gtk_label_get_use_markup(label.pointer)) mnemonic "
                        + "\(gtk_label_get_use_underline(label.pointer))")
            }
            // A line that is broken within an address has no sign that is not in it.
            let address = Label([Label.Run(String(repeating: "5Grwva", count: 20), isMonospaced: true)], wrap: .words)
            let attributes = gtk_label_get_attributes(address.pointer)
            let all = pango_attr_list_get_attributes(attributes)
            var hyphens = "hyphens are put in"
            var item = all
            while let here = item {
                let attribute = here.pointee.data.assumingMemoryBound(to: PangoAttribute.self)
                if attribute.pointee.klass.pointee.type == PANGO_ATTR_INSERT_HYPHENS {
                    hyphens = pango_attribute_as_int(attribute)?.pointee.value == 0 ? "no hyphens" : hyphens
                }
                item = here.pointee.next
            }
            g_slist_free_full(all) { pango_attribute_destroy($0?.assumingMemoryBound(to: PangoAttribute.self)) }
            lines.append(hyphens)
            // Names from outside on a page, in a toast and in a title.
            let stage = Stage(application)
            stage.view.show(Samples.keys)
            stage.view.tell("\(Samples.hostileName)")
            await stage.frames(2)
            let shown = stage.labels()
            let name = Text("\(Samples.hostileName)").plain
            lines.append("on the page and in a toast: \(shown.filter { $0 == name }.count)")
            lines.append("bold: \(shown.filter { $0.hasPrefix("5 DOT") }.count)")
            stage.window.destroy()
            return lines
        }
    }
#endif
