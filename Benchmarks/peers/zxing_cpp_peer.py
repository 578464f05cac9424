"""zxing-cpp (C++, the newest from PyPI): milliseconds of processor time to read the QR codes of a picture."""
import sys

import zxingcpp

from qr_pictures import run

run(sys.argv[1], lambda picture: zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode))
