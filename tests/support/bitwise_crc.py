"""The checksum of net files by its definition: slow, and beyond doubt."""


def crc64_bitwise(data: bytes) -> int:
    """CRC-64/XZ by its definition, a bit at a time."""
    crc = 2**64 - 1
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 2**64 - 1
