import math

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nlpfeat.attention.positions import T5Position
from nlpfeat.attention.positions.t5 import buckets_of
from nlpfeat.errors import InvalidParameterError

#: 32 buckets up to 128: the distances at which buckets 1 to 15 of one side begin.
BEGINS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]


def built(n_heads=2, **parameters):
    return T5Position(**parameters).build(n_heads, 4, 8, torch.Generator())


def bucket_by_formula(offset, n_buckets, max_distance):
    """The bucket as T5's code has it, one offset at a time."""
    side, bucket = n_buckets // 2, 0
    if offset > 0:
        bucket += side
    distance = abs(offset)
    exact = side // 2
    if distance < exact:
        return bucket + distance
    share = math.log(distance / exact) / math.log(max_distance / exact)
    # The tiny number is for borders, where the logarithms should be whole and just miss it.
    return bucket + min(exact + math.floor(share * (side - exact) + 1e-9), side - 1)


def test_buckets_by_hand():
    offsets = torch.arange(-300, 301)
    expected = [
        sum(abs(offset) >= begin for begin in BEGINS) + (16 if offset > 0 else 0)
        for offset in offsets.tolist()
    ]
    assert buckets_of(offsets, 32, 128).tolist() == expected


@settings(max_examples=60)
@given(st.integers(2, 24), st.integers(1, 400), st.integers(-500, 500))
def test_buckets_by_the_formula(half, max_distance, offset):
    assume(max_distance > half // 2)
    found = buckets_of(torch.tensor([offset]), 2 * half, max_distance).item()
    assert found == bucket_by_formula(offset, 2 * half, max_distance)


def test_the_published_buckets_by_the_formula():
    offsets = torch.arange(-1000, 1001)
    expected = [bucket_by_formula(offset, 32, 128) for offset in offsets.tolist()]
    assert buckets_of(offsets, 32, 128).tolist() == expected


def test_signs_are_symmetric():
    offsets = torch.arange(1, 400)
    before, after = buckets_of(-offsets, 32, 128), buckets_of(offsets, 32, 128)
    assert torch.equal(after, before + 16)
    assert before.max() == 15
    assert buckets_of(torch.tensor([0]), 32, 128).item() == 0


def test_all_buckets_but_one_are_used():
    """Bucket 16 would be offset 0 among the keys after the query; T5 has it too."""
    assert buckets_of(torch.arange(-200, 201), 32, 128).unique().tolist() == [
        bucket for bucket in range(32) if bucket != 16
    ]


def test_the_bias_of_a_pair_is_that_of_its_bucket():
    t5 = built()
    with torch.no_grad():
        t5.table.copy_(torch.arange(64.0).view(2, 32))
    queries, keys = torch.tensor([0, 200]), torch.tensor([3, 0, 400])
    buckets = [[19, 0, 31], [15, 15, 31]]
    expected = [buckets, [[32 + each for each in row] for row in buckets]]
    assert t5.bias(queries, keys).tolist() == expected


def test_biases_start_at_zero_with_a_gradient():
    t5 = built()
    bias = t5.bias(torch.arange(3), torch.arange(3))
    assert not bias.any()
    bias.sum().backward()
    assert t5.table.grad[:, :3].tolist() == [[3.0, 2.0, 1.0]] * 2
    assert t5.table.grad[:, 16:19].tolist() == [[0.0, 2.0, 1.0]] * 2


def test_alternating_lengths_and_dtypes_give_what_a_fresh_one_gives():
    t5 = built()
    with torch.no_grad():
        t5.table.normal_(generator=torch.Generator().manual_seed(0))
    for n_queries, n_keys, dtype in [
        (3, 3, torch.float32), (5, 2, torch.float64), (3, 3, torch.float32), (400, 1, torch.half),
        (0, 4, torch.float32), (5, 2, torch.float32),
    ]:  # fmt: skip
        fresh = built().to(dtype)
        fresh.load_state_dict(t5.to(dtype).state_dict())
        places = torch.arange(n_queries), torch.arange(n_keys)
        assert torch.equal(t5.bias(*places), fresh.bias(*places))
        assert t5.bias(*places).dtype == dtype


def test_nothing_grows_with_the_documents():
    t5 = built()
    before = sum(buffer.numel() for buffer in t5.buffers())
    for n_tokens in range(1, 40):
        t5.bias(torch.arange(n_tokens), torch.arange(n_tokens))
    assert sum(buffer.numel() for buffer in t5.buffers()) == before == 257
    assert vars(t5).keys() == vars(built()).keys()


def test_positions_move_to_the_model():
    bias = built().to("meta").bias(torch.arange(3), torch.arange(4))
    assert (bias.device.type, bias.shape) == ("meta", (2, 3, 4))


def test_the_gpu_gives_what_the_cpu_gives():
    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    t5 = built()
    with torch.no_grad():
        t5.table.normal_(generator=torch.Generator().manual_seed(0))
    places = torch.arange(50)
    expected = t5.bias(places, places)
    assert torch.equal(t5.cuda().bias(places, places).cpu(), expected)
    assert torch.equal(t5.cpu().bias(places, places), expected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_buckets": 2}, "n_buckets of T5Position must be an integer that is at least 4. Got 2"),
        ({"n_buckets": 33}, "n_buckets of T5Position must be even"),
        ({"n_buckets": 32.0}, "n_buckets of T5Position must be an integer"),
        ({"max_distance": 8}, "max_distance of T5Position must be an integer .* at least 9. Got 8"),
    ],
)
def test_settings_that_mean_nothing_are_refused(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        built(**parameters)
