#if canImport(CAdwaita)
    import CAdwaita

    /// A place that the program draws itself.
    @MainActor
    package class DrawingArea: Widget {
        /// The pixels that it asks for; 0 for none.
        package init(width: Int, height: Int) {
            super.init(new: gtk_drawing_area_new()?.opaque)
            ask(width: width, height: height)
        }

        package func ask(width: Int, height: Int) {
            gtk_drawing_area_set_content_width(typed(), Int32(width))
            gtk_drawing_area_set_content_height(typed(), Int32(height))
        }

        /// What draws it: takes the place to draw on and its size in pixels. Nil draws nothing.
        package func onDraw(_ draw: (@MainActor (Canvas, _ width: Double, _ height: Double) -> Void)?) {
            typealias Boxed = Callback<@MainActor (Canvas, Double, Double) -> Void>
            guard let draw else { return gtk_drawing_area_set_draw_func(typed(), nil, nil, nil) }
            gtk_drawing_area_set_draw_func(
                typed(),
                { area, context, width, height, data in
                    guard let context, let area else { return }
                    // The library draws on the main thread alone; what it lends is used before the call returns.
                    nonisolated(unsafe) let (lent, widget) = (context, area)
                    MainActor.assumeIsolated { [boxed = Boxed.from(data)] in
                        var color = GdkRGBA()
                        gtk_style_context_get_color(
                            gtk_widget_get_style_context(UnsafeMutablePointer(widget.opaque)), &color)
                        boxed?.run(Canvas(lent, ink: Color(color)), Double(width), Double(height))
                    }
                }, Boxed.retained(draw), { Boxed.free($0) })
            queueDraw()
        }

        /// What is done when it has another size, in pixels.
        package func onResize(_ run: @escaping @MainActor (_ width: Int, _ height: Int) -> Void) {
            on("resize") { run($0.int(0), $0.int(1)) }
        }
    }
#endif
