"""Attributes that are worked out when somebody first asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, overload

from monitor.traces.reading import T


class lazy(Generic[T]):  # noqa: N801 - a decorator, as `property` is
    """As `functools.cached_property`, which takes a lock up to Python 3.11, and thrice as long."""

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy[T]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object, kind: type) -> lazy[T] | T:
        """The value, which from now on stands in the object itself."""
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._read(owner)
        return value
