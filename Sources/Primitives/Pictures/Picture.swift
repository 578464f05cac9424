// Pictures: PNG, JPEG and PGM bytes to grey pixels.
