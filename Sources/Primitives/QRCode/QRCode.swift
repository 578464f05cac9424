// QRCode: bytes to QR symbols and back.
