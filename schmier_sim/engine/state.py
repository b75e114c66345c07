"""The state of one deal: what a seat may know (`VIEW`), and what only the engine knows (`TABLE`).

The two are separate pieces of memory. Policies get a `View`: a read-only handle on the first, with
just the public fields, so that a policy can neither see hidden cards nor change anything.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import JIT_ENABLED, inlined_kernel, structured

VIEW: Final = np.dtype(
    [
        ("seat", np.int64),
        ("dealer", np.int64),
        ("position", np.int64),  # 1-6, of this seat; 6 is the dealer
        ("bidder", np.int64),  # -1 until the auction is over
        ("bid", np.int64),
        ("trump", np.int64),
        ("hand", np.int64),  # mask
        ("thrown", np.int64),  # mask of one's own discards
        ("legal", np.int64),  # mask of legal answers: bids, suits or cards
        ("must_throw", np.int64),  # taker: how many cards; others 0
        ("calls", np.int64, (6,)),  # by seat: -1 not asked yet, 0 pass, or the bid
        ("drawn", np.int64, (6,)),  # by seat: -1 not yet, or the number of cards exchanged
        ("history", np.int64, (36,)),  # card ids in order played, -1 beyond
        ("n_played", np.int64),
        ("leader", np.int64),
        ("n_trick", np.int64),  # cards in the current trick so far
        ("played", np.int64),  # mask
        ("voids", np.int64, (6,)),  # by seat: bit s, shown out of suit s
        ("game_count", np.int64, (3,)),  # by team, won so far
        ("card_points", np.int64, (3,)),
        ("scores", np.int64, (3,)),  # by team, before this hand
        ("rules", np.int64),  # packed
        # From here on no public fields. The trick so far (`engine.play.show_trick`), if there is
        # one, and a mask of the seats that have shown to be out of trumps.
        ("trick_mask", np.int64),
        ("trick_best", np.int64),  # the card that holds it
        ("trick_holder", np.int64),  # who played that
        ("trick_count", np.int64),  # what its cards count for game
        ("out_of_trumps", np.int64),
        ("stream", np.uint64, (1,)),  # of random numbers, set anew for each decision
    ]
)
PRIVATE_FIELDS: Final = (
    "trick_mask", "trick_best", "trick_holder", "trick_count", "out_of_trumps", "stream",
)  # fmt: skip
PUBLIC_FIELDS: Final = tuple(name for name in VIEW.names or () if name not in PRIVATE_FIELDS)

TABLE: Final = np.dtype(
    [
        # Where the deal comes from.
        ("dealt", np.int64, (6,)),  # masks by seat
        ("stock", np.int64, (17,)),  # card ids in the order in which they are dealt out
        ("policy_key", np.uint64),
        ("pack", np.int64, (56,)),  # the 53 cards as masks, as dealt; groups of eight fit
        ("stream", np.uint64, (1,)),
        # Who plays: the functions of the six seats, four each in the order of the phases. Here,
        # for an array that is handed on counts its users, and all threads would share the count.
        ("answers", np.int64, (24,)),
        # What is fixed beforehand: see `engine.hand.plan_bidder`.
        ("plan_bidder", np.int64),
        ("plan_bid", np.int64),
        ("plan_calls", np.int64, (6,)),
        ("plan_trumps", np.int64, (6,)),
        # Hidden while the deal is played.
        ("hands", np.int64, (6,)),
        ("thrown", np.int64, (6,)),
        ("stock_used", np.int64),
        ("stock_tops", np.int64, (18,)),  # masks of the first 0 to 17 cards of the stock
        ("held", np.int64, (3,)),  # by team: the cards held after the exchange, as a mask
        ("won", np.int64, (3,)),  # by team: the cards of the tricks won
        # The result.
        ("taker", np.int64),
        ("winners", np.int64, (6,)),  # seat, by trick
        ("point_team", np.int64, (6,)),  # high low right left joker game: team, -1 nobody
        ("points", np.int64, (3,)),  # points won by team
        ("score", np.int64, (3,)),  # change of score by team
        ("made", np.int64),
        # An illegal answer: phase (CALL TRUMP DISCARD PLAY), or -1; who, and what.
        ("fault", np.int64),
        ("fault_seat", np.int64),
        ("fault_answer", np.int64),
    ]
)

HIGH_POINT, LOW_POINT, RIGHT_POINT, LEFT_POINT, JOKER_POINT, GAME_POINT = range(6)
POINT_NAMES: Final = ("high", "low", "right", "left", "joker", "game")

CALL, TRUMP, DISCARD, PLAY = range(4)
PHASES: Final = ("call", "trump", "discard", "play")
N_PHASES: Final = 4


@inlined_kernel
def seat_players(table: Any, answers: np.ndarray) -> None:
    """Give the seats to players, (24,) as `policies.base.answers_of` returns them."""
    for i in range(24):
        table.answers[i] = answers[i]


@inlined_kernel
def next_seat(seat: int) -> int:
    """Return the seat to the left; cheaper than a remainder."""
    return 0 if seat == 5 else seat + 1


@inlined_kernel
def position_of(seat: int, dealer: int) -> int:
    """Return the place of a seat in the calling order: 1 left of the dealer, 6 the dealer."""
    return seat - dealer if seat > dealer else seat - dealer + 6


def new_views(count: int) -> Any:
    """Return empty `VIEW` records."""
    return structured(count, VIEW)


def views_under(rules: int, scores: Any) -> Any:
    """Return one empty `VIEW` record under packed rules, at some scores."""
    views = new_views(1)
    views["rules"] = rules
    views["scores"][0, : len(scores)] = scores
    return views


def new_tables(count: int) -> Any:
    """Return empty `TABLE` records that leave every decision to the policies."""
    tables = structured(count, TABLE)
    tables["plan_bidder"] = tables["plan_calls"] = tables["plan_trumps"] = tables["fault"] = -1
    return tables


if JIT_ENABLED:
    from llvmlite import ir
    from numba import from_dtype, types
    from numba.core.errors import TypingError
    from numba.core.typing.templates import AttributeTemplate
    from numba.extending import (
        infer_getattr,
        intrinsic,
        lower_getattr_generic,
        models,
        register_model,
    )
    from numba.np.arrayobj import populate_array

    class ViewType(types.Type):  # type: ignore[misc]
        """Type of a `View` in compiled code: an address of a `VIEW` record, read only."""

        def __init__(self) -> None:
            super().__init__(name="View")

    view_type = ViewType()

    @register_model(ViewType)
    class _ViewModel(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, front_end_type: Any) -> None:
            super().__init__(manager, front_end_type, ir.IntType(8).as_pointer())

    def _field_type(name: str, *, readonly: bool) -> Any:
        field = VIEW[name]
        scalar = from_dtype(field.base)
        return types.Array(scalar, 1, "C", readonly=readonly) if field.shape else scalar

    def _load_field(context: Any, builder: Any, address: Any, name: str, field_type: Any) -> Any:
        field = VIEW[name]
        assert VIEW.fields is not None
        offset = VIEW.fields[name][1]
        at = builder.gep(address, [context.get_constant(types.intp, offset)])
        if not field.shape:
            return builder.load(builder.bitcast(at, context.get_data_type(field_type).as_pointer()))
        array = context.make_array(field_type)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(at, array.data.type),
            shape=[context.get_constant(types.intp, field.shape[0])],
            strides=[context.get_constant(types.intp, field.base.itemsize)],
            itemsize=context.get_constant(types.intp, field.base.itemsize),
            meminfo=None,
        )
        return array._getvalue()

    @infer_getattr
    class _ViewFields(AttributeTemplate):  # type: ignore[misc]
        key = ViewType

        def generic_resolve(self, typ: Any, name: str) -> Any:
            if name not in PUBLIC_FIELDS:
                raise TypingError(
                    f"a view has no field {name!r}; it has: {', '.join(PUBLIC_FIELDS)}"
                )
            return _field_type(name, readonly=True)

    @lower_getattr_generic(ViewType)
    def _get_field(context: Any, builder: Any, typ: Any, address: Any, name: str) -> Any:
        return _load_field(context, builder, address, name, _field_type(name, readonly=True))

    @intrinsic
    def as_view(typing_context: Any, record: Any) -> Any:
        """Hand a `VIEW` record to a policy."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], ir.IntType(8).as_pointer())

        return view_type(record), generate

    @intrinsic
    def call_at(typing_context: Any, address: Any, view: Any) -> Any:
        """Call the policy function at an address, an ``int64(View)`` in the C convention."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            int64 = ir.IntType(64)
            function_type = ir.FunctionType(int64, [ir.IntType(8).as_pointer()])
            function = builder.inttoptr(args[0], function_type.as_pointer())
            return builder.call(function, [args[1]])

        return types.int64(types.int64, view_type), generate

    def _reader(name: str) -> Any:
        """A function of a view that reads one integer that is no public field."""

        @intrinsic
        def read(typing_context: Any, view: Any) -> Any:
            field_type = _field_type(name, readonly=True)

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return _load_field(context, builder, args[0], name, field_type)

            return field_type(view), generate

        return read

    @intrinsic
    def stream_of(typing_context: Any, view: Any) -> Any:
        """The state of the random numbers of this decision, writable."""
        stream_type = _field_type("stream", readonly=False)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _load_field(context, builder, args[0], "stream", stream_type)

        return stream_type(view), generate

else:

    class View:
        """What a policy sees with the JIT switched off: the same fields, read only."""

        __slots__ = ("_record",)

        def __init__(self, record: Any) -> None:
            object.__setattr__(self, "_record", record)

        def __getattr__(self, name: str) -> Any:
            if name not in PUBLIC_FIELDS:
                raise AttributeError(
                    f"a view has no field {name!r}; it has: {', '.join(PUBLIC_FIELDS)}"
                )
            value = getattr(self._record, name)
            if isinstance(value, np.ndarray):
                value = value.view()
                value.flags.writeable = False
                return value
            return int(value)

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError("a view is read only")

    def as_view(record: Any) -> View:
        """Hand a `VIEW` record to a policy."""
        return View(record)

    _numbers: dict[Any, int] = {}
    _functions: list[Any] = []

    def number_of(function: Any) -> int:
        """Return what stands for the address of a function of a view."""
        number = _numbers.setdefault(function, len(_functions))
        if number == len(_functions):
            _functions.append(function)
        return number

    def call_at(number: int, view: View) -> Any:
        """Call a policy function."""
        return _functions[number](view)

    def _reader(name: str) -> Any:
        def read(view: View) -> int:
            return int(getattr(view._record, name))

        return read

    def stream_of(view: View) -> Any:
        """The state of the random numbers of this decision, writable."""
        return view._record.stream


trick_mask_of = _reader("trick_mask")
"""Mask of the cards in the trick so far."""
trick_best_of = _reader("trick_best")
"""The card that holds the trick so far; there must be one."""
trick_holder_of = _reader("trick_holder")
"""The seat that holds the trick so far."""
trick_count_of = _reader("trick_count")
"""What the cards in the trick so far count for game."""
out_of_trumps_of = _reader("out_of_trumps")
"""Mask of the seats that have shown to be out of trumps."""
