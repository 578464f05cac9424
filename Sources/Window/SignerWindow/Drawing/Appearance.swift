#if canImport(CAdwaita)
    import Adwaita

    /// How pages look, beyond what the library gives by itself. Colours are the library's names, which follow light and
    /// dark and high contrast.
    @MainActor
    enum Appearance {
        private static var isAdded = false

        static func add() {
            guard !isAdded else { return }
            isAdded = true
            StyleSheet.add(rules)
        }

        private static let rules = """
            /* White letters on it can be read. */
            @define-color accent_bg_color #1b6acb;
            .page-body { padding: 12px; }
            .bar { padding: 12px; }
            .dim-label { opacity: 0.7; }
            headerbar .subtitle { opacity: 0.8; }
            .block-heading { margin-top: 12px; }
            .headline { padding: 6px 0 6px 0; }
            .row-content { padding: 10px 12px; min-height: 30px; }
            .field-label { font-weight: bold; }
            .row-value { font-size: 0.92em; opacity: 0.8; }
            .empty { padding: 24px 12px; }
            .empty-picture { opacity: 0.35; padding-bottom: 12px; }
            .fold { padding: 6px 0 6px 12px; }
            .tree { padding: 12px; border-radius: 12px; background: @card_bg_color; }
            .foreign { padding: 10px 12px; border-radius: 6px; background: alpha(currentColor, 0.06);
                border-left: 4px solid alpha(currentColor, 0.35); }
            .foreign-rest { margin-top: 6px; }

            .risk, .mark, .verdict, .lid-head { color: @window_fg_color; }
            .risk { padding: 12px; border-radius: 12px; border: 1px solid alpha(currentColor, 0.15);
                background: alpha(currentColor, 0.06); opacity: 1; }
            .risk-word { font-weight: bold; font-size: smaller; }
            .risk.danger, .risk.refusal { background: alpha(@error_bg_color, 0.14);
                border-color: alpha(@error_bg_color, 0.6); }
            .risk.warning { background: alpha(@warning_bg_color, 0.18); border-color: alpha(@warning_bg_color, 0.6); }
            .risk.good { background: alpha(@success_bg_color, 0.12); border-color: alpha(@success_bg_color, 0.5); }
            .danger .risk-ink, .refusal .risk-ink { color: mix(@error_color, @window_fg_color, 0.2); }
            .warning .risk-ink { color: mix(@warning_color, @window_fg_color, 0.3); }
            .good .risk-ink { color: mix(@success_color, @window_fg_color, 0.3); }
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

            .shield.safe { color: mix(@success_color, @window_fg_color, 0.3); }
            .shield.connected, .shield.failed { color: mix(@error_color, @window_fg_color, 0.2); }
            .shield.wasOnline { color: mix(@warning_color, @window_fg_color, 0.3); }
            button.shield-strip { padding: 5px 12px; font-size: smaller; font-weight: bold; border-radius: 0;
                min-height: 0; }
            .shield-vault { font-weight: normal; }
            .safe .shield-vault { color: @window_fg_color; opacity: 0.8; }
            button.shield-strip.safe { background: alpha(@success_bg_color, 0.14);
                color: mix(@success_color, @window_fg_color, 0.3); }
            button.shield-strip.connected, button.shield-strip.failed { background: @error_bg_color; color: @error_fg_color; }
            button.shield-strip.wasOnline { background: @warning_bg_color; color: @warning_fg_color; }

            .side { background: alpha(currentColor, 0.03); border-right: 1px solid alpha(currentColor, 0.12); }
            .side-inside { padding: 8px; }
            .side-parts .part { padding: 8px 12px; }
            .side-parts .part.current, .bottom-parts .part.current { background: alpha(@accent_bg_color, 0.16);
                color: mix(@accent_color, @window_fg_color, 0.3); }
            .bottom-parts { padding: 4px; border-top: 1px solid alpha(currentColor, 0.12); background: @headerbar_bg_color; }
            .bottom-parts .part { padding: 4px 2px; }

            .cover { background: alpha(black, 0.5); }
            .lid { background: @dialog_bg_color; color: @dialog_fg_color; border-radius: 14px; margin: 12px; }
            .lid.narrow.sheet { margin: 48px 0 0 0; border-radius: 14px 14px 0 0; }
            .lid-head { padding: 12px 12px 0 12px; }
            .question { padding: 18px; }
            .busy { background: @dialog_bg_color; color: @dialog_fg_color; border-radius: 14px; padding: 24px 32px;
                box-shadow: 0 4px 24px alpha(black, 0.3); }
            """
    }
#endif
