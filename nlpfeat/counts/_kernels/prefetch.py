"""Ask the processor for memory before it is needed.

The places of one term lie all over the text, so nearly each is a cache miss of some hundred
cycles. Asked for a few places ahead, it is there in time: the scan takes about half as long.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

# numba has no types of its own.
_intrinsic: Callable[..., Any] = intrinsic
_code: Any = cgutils

# Operands of LLVM's prefetch: for reading, to all cache levels, of data.
_READ, _ALL_LEVELS, _DATA = 0, 3, 1


@_intrinsic
def prefetch(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001 - numba's form
    """Fetch the cache line that holds ``array[place]``; compiled code only, no bounds check."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        made = context.make_array(array_type)(context, builder, arguments[0])
        pointer = _code.get_item_pointer(
            context, builder, array_type, made, [arguments[1]], wraparound=False
        )
        byte_pointer = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        function = _code.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte_pointer, number, number, number]),
            "llvm.prefetch.p0i8",
        )
        flags = [ir.Constant(number, flag) for flag in (_READ, _ALL_LEVELS, _DATA)]
        builder.call(function, [builder.bitcast(pointer, byte_pointer), *flags])
        return context.get_dummy_value()

    return types.void(array, place), generate
