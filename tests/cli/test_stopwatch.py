"""What the stages of a run took."""

import pytest

from dealog import stopwatch


class Clock:
    now = 0.0

    def perf_counter(self) -> float:
        return self.now


def test_a_stage_inside_another_takes_from_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(stopwatch, "time", clock)
    watch = stopwatch.Stopwatch(show=False)
    with watch("outer"):
        clock.now += 1
        with watch("inner"):
            clock.now += 2
            with watch("innermost"):
                clock.now += 4
        with watch("inner"):
            clock.now += 8
        clock.now += 16
    with watch("outer"):
        clock.now += 32
    assert watch.seconds == {"outer": 49, "inner": 10, "innermost": 4}


def test_a_stage_that_fails_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(stopwatch, "time", clock)
    watch = stopwatch.Stopwatch(show=False)
    with watch("outer"):
        with pytest.raises(KeyError), watch("inner"):
            clock.now += 2
            raise KeyError
        clock.now += 1
    assert watch.seconds == {"outer": 1, "inner": 2}
