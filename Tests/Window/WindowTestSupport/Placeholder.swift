#if canImport(CGIO)
    import CGIO
#endif
