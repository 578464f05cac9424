#if canImport(CAdwaita)
    import CAdwaita

    /// A grey picture, ready to be drawn: one byte for each pixel, from 0 for black to 255.
    @MainActor
    package final class Raster {
        package let width: Int
        package let height: Int
        fileprivate let surface: OpaquePointer

        /// Takes rows of `width` bytes from top to bottom; nil where there are too few of them or none.
        package init?(width: Int, height: Int, grey: [UInt8]) {
            guard width > 0, height > 0, width <= 16_384, height <= 16_384, grey.count >= width * height,
                let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height))
            else { return nil }
            guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
                let rows = cairo_image_surface_get_data(surface)
            else {
                cairo_surface_destroy(surface)
                return nil
            }
            let stride = Int(cairo_image_surface_get_stride(surface))
            cairo_surface_flush(surface)
            grey.withUnsafeBufferPointer { grey in
                for row in 0..<height {
                    (rows + row * stride).update(from: grey.baseAddress! + row * width, count: width)
                }
            }
            cairo_surface_mark_dirty(surface)
            (self.width, self.height, self.surface) = (width, height, surface)
        }

        isolated deinit { cairo_surface_destroy(surface) }
    }

    extension Canvas {
        /// How a picture is made larger.
        package enum Enlargement {
            /// Each pixel becomes a square of pixels of one colour.
            case exact
            case smooth
        }

        /// Draws a picture from the origin, each of its pixels as large as the scale says. The grey is the opacity of
        /// white over what is dark, so that no picture is made of the grey one.
        package func draw(
            _ raster: Raster, scale factor: Double, _ enlargement: Enlargement, dark: Color = Color(hex: 0x000000)
        ) {
            group {
                scale(factor)
                rectangle(x: 0, y: 0, width: Double(raster.width), height: Double(raster.height))
                color(dark)
                fill()
                color(Color(hex: 0xffffff))
                guard let pattern = cairo_pattern_create_for_surface(raster.surface) else { return }
                cairo_pattern_set_filter(pattern, enlargement == .exact ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
                cairo_mask(context, pattern)
                cairo_pattern_destroy(pattern)
            }
        }
    }
#endif
