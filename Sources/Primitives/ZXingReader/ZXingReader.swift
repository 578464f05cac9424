// ZXingReader: zxing-cpp behind the QRReader protocol.
