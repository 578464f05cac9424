#if canImport(CAdwaita)
    import Adwaita

    /// How pages look, beyond what the library gives by itself. Colours are the library's names, which follow light and
    /// dark and high contrast.
    @MainActor
    enum Looks {
        private static var isAdded = false

        static func add() {
            guard !isAdded else { return }
            isAdded = true
            StyleSheet.add(rules)
        }

        private static let rules = """
            .page-body { padding: 12px; }
            .bar { padding: 12px; }
            .block-heading { margin-top: 6px; }
            .headline { padding: 6px 0 6px 0; }
            .row-content { padding: 10px 12px; min-height: 30px; }
            .field-label { font-weight: bold; }
            .empty { padding: 24px 12px; }
            .fold { padding: 6px 0 6px 12px; }
            .tree { padding: 12px; border-radius: 12px; background: @card_bg_color; }
            .foreign { padding: 10px 12px; border-radius: 6px; background: alpha(currentColor, 0.06);
                border-left: 4px solid alpha(currentColor, 0.35); }
            .foreign-rest { margin-top: 6px; }

            .risk { padding: 12px; border-radius: 12px; border: 1px solid alpha(currentColor, 0.15);
                background: alpha(currentColor, 0.06); opacity: 1; }
            .risk-word { font-weight: bold; font-size: smaller; }
            .risk.danger, .risk.refusal { background: alpha(@error_bg_color, 0.14);
                border-color: alpha(@error_bg_color, 0.6); }
            .risk.warning { background: alpha(@warning_bg_color, 0.18); border-color: alpha(@warning_bg_color, 0.6); }
            .risk.good { background: alpha(@success_bg_color, 0.12); border-color: alpha(@success_bg_color, 0.5); }
            .danger .risk-ink, .refusal .risk-ink { color: @error_color; }
            .warning .risk-ink { color: @warning_color; }
            .good .risk-ink { color: @success_color; }
            .mark { padding: 2px 8px; border-radius: 9px; background: alpha(currentColor, 0.07); }
            .obstacle { font-size: smaller; }
            .opener { padding: 2px 10px; min-height: 20px; }
            row.selected { background: alpha(@accent_bg_color, 0.14); }

            .hold { border-radius: 12px; color: @accent_fg_color; background: @accent_bg_color; }
            .hold.destructive { color: @destructive_fg_color; background: @destructive_bg_color; }
            .hold:disabled { opacity: 0.5; }
            .hold:focus-visible { outline: 3px solid alpha(@accent_color, 0.6); outline-offset: 2px; }
            .hold-label { font-weight: bold; padding: 13px 16px; }

            .code-frame { padding: 12px; border-radius: 12px; background: #ffffff; }

            .shield.safe { color: @success_color; }
            .shield.connected, .shield.failed { color: @error_color; }
            .shield.wasOnline { color: @warning_color; }
            .shield-strip { padding: 5px 12px; font-size: smaller; font-weight: bold; }
            .shield-strip.safe { background: alpha(@success_bg_color, 0.14); color: @success_color; }
            .shield-strip.connected, .shield-strip.failed { background: @error_bg_color; color: @error_fg_color; }
            .shield-strip.wasOnline { background: @warning_bg_color; color: @warning_fg_color; }

            .side { background: alpha(currentColor, 0.03); border-right: 1px solid alpha(currentColor, 0.12); }
            .side-inside { padding: 8px; }
            .side-parts .part { padding: 8px 12px; }
            .side-parts .part.current, .bottom-parts .part.current { background: alpha(@accent_bg_color, 0.16);
                color: @accent_color; }
            .bottom-parts { padding: 4px; border-top: 1px solid alpha(currentColor, 0.12); background: @headerbar_bg_color; }
            .bottom-parts .part { padding: 4px 2px; }

            .cover { background: alpha(black, 0.5); }
            .lid { background: @dialog_bg_color; color: @dialog_fg_color; border-radius: 14px; margin: 12px; }
            .lid.narrow.sheet { margin: 48px 0 0 0; border-radius: 14px 14px 0 0; }
            .lid-head { padding: 12px 12px 0 12px; }
            .busy { background: @dialog_bg_color; color: @dialog_fg_color; border-radius: 14px; padding: 24px; }
            """
    }
#endif
