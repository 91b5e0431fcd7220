"""Random bits. Witness: the vectors that the authors of Philox publish (kat_vectors of Random123), and Philox in NumPy,
which is checked against them."""

import numpy as np

from oracle_case import bf16, whole

# philox4x32-10: counter words, key words, result words
VECTORS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return tuple(c)


for counter_words, key_words, result in VECTORS:
    assert philox(counter_words, key_words) == result, "Philox is not what was published"


def signed(low, high):
    return int(np.array((high << 32) | low, np.uint64).astype(np.int64))


def bits(key, counter, stream, shape):
    count = int(np.prod(shape))
    words = []
    for block in range((count + 3) // 4):
        place = (counter + block) % 2**64
        words += philox((place & 0xFFFFFFFF, place >> 32, stream & 0xFFFFFFFF, stream >> 32),
                        (key & 0xFFFFFFFF, key >> 32))
    return np.array(words[:count], np.uint32).reshape(shape)


def unit(key, counter, stream, shape, digits):
    return (bits(key, counter, stream, shape) >> np.uint32(32 - digits)).astype(np.float64) * 2.0**-digits


def cases():
    body, outputs = [], {}
    for i, (c, k, result) in enumerate(VECTORS):
        body.append(f"v{i}[...] = random_bits({signed(*k)}, [{signed(*c[:2])}, {signed(*c[2:])}], [4])")
        outputs[f"v{i}"] = np.array(result, np.uint32)
    shape = (3, 7)
    u = unit(7, 11, 0, shape, 24)
    wide = (bits(7, 11, 0, shape).astype(np.uint64) << np.uint64(32)) | bits(7, 11, 2 << 62, shape)
    radius = np.sqrt(-2 * np.log(unit(7, 11, 5, (64,), 24) + 2.0**-24))
    normal = radius * np.cos(2 * np.pi * unit(7, 11, 5 ^ (1 << 62), (64,), 24))
    return [
        whole("random_bits_vectors", "the published vectors of Philox 4x32-10", body, {}, outputs),
        whole("random_bits_shape", "a counter for every four elements, row by row; wraps", [
            "a[...] = random_bits(s, 3, [3, 7])", "b[...] = random_bits(1, -1, [8])",
            "c[...] = random_bits(s, t, [2])"],
            {}, {"a": bits(9, 3, 0, shape), "b": bits(1, 2**64 - 1, 0, (8,)), "c": bits(9, 2**32 - 6, 0, (2,))},
            "scalars: {s: u64, t: u32}\n", scalars={"s": 9, "t": 2**32 - 6}),
        whole("random_uniform", "the upper bits of a word as a multiple of the dtype's step below 1", [
            "a[...] = uniform(7, 11, [3, 7])", "b[...] = uniform(7, 11, [3, 7], bf16)",
            "c[...] = uniform(7, 11, [3, 7], f64)"], {},
            {"a": u.astype(np.float32), "b": unit(7, 11, 0, shape, 8).astype(bf16),
             "c": (wide >> np.uint64(11)).astype(np.float64) * 2.0**-53}),
        whole("random_normal", "Box and Muller on two streams", ["a[...] = normal(7, [11, 5], [64])"], {},
              {"a": normal.astype(np.float32)}, tolerance=2e-6,
              why="log, sqrt and cos in f32, of an angle up to 2 pi"),
    ]
