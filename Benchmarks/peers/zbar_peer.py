"""zbar through pyzbar: milliseconds of processor time to read the QR codes of a picture."""
import sys

from pyzbar.pyzbar import ZBarSymbol, decode

from qr_pictures import run

run(sys.argv[1], lambda picture: decode(picture, symbols=[ZBarSymbol.QRCODE]), rounds=2)
