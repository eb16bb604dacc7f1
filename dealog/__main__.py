"""The command `dealog`, also as `python -m dealog`: whatever happens, a message and never a traceback."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from dealog import interrupts

with interrupts.quiet():
    import click

    from dealog.diagnostics import DealogError, Diagnostic, did_you_mean

_NOT_A_NUMBER = re.compile(r"is not a valid (?:integer|float)(?: range)?(?=\.?$)")
_STAND_INS = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (by default the process's); the exit status comes back."""
    with interrupts.quiet():
        from dealog.cli import dealog
        from dealog.messages import MAX_ERRORS, limit_errors, report, report_all

    collecting = gc.isenabled()
    limit_errors(MAX_ERRORS)
    gc.disable()  # millions of small objects, and hardly a cycle among them that is garbage before the end
    try:
        status = dealog.main(args=arguments, prog_name="dealog", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except DealogError as error:
        report_all(error.diagnostics)
        return _status(error)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx is not None else error.format_message())
        return 0
    except click.ClickException as error:
        report(_usage(error))
        return _status(error)
    except (KeyboardInterrupt, click.Abort):
        report(Diagnostic("interrupted; nothing has been written"))
        return interrupts.STATUS
    except MemoryError:
        report(Diagnostic("out of memory"))
        return 1
    except RecursionError as error:
        if os.environ.get("DEALOG_DEBUG"):
            raise
        report(Diagnostic("what is given is nested too deep, or has too many parts; nothing has been written"))
        return _status(error)
    except Exception as error:
        if os.environ.get("DEALOG_DEBUG"):
            raise
        report_all((_of_output(error) or _of_folder(error) or DealogError(_internal(error))).diagnostics)
        return _status(error)
    finally:
        if collecting:
            gc.enable()


def _of_output(error: Exception) -> DealogError | None:
    """That standard output cannot be written, where that is what `error` says."""
    from traceback import walk_tb

    from dealog.files import cannot_write

    *_, (last, _) = walk_tb(error.__traceback__)
    return cannot_write(error) if isinstance(error, OSError) and last.f_code is click.echo.__code__ else None


def _of_folder(error: Exception) -> DealogError | None:
    """That the current folder was deleted, where `error` comes of that: what is seen from it cannot be found."""
    from dealog.files import current_folder

    if not isinstance(error, FileNotFoundError) or current_folder() is not None:
        return None
    return DealogError(Diagnostic("the current folder does not exist any more", hint="change to another folder"))


def _status(error: Exception) -> int:
    """The exit status for `error`: 1, or what the command has said."""
    status = getattr(error, "status", 1)
    return status if isinstance(status, int) else 1


def _usage(error: click.ClickException) -> Diagnostic:
    hint = getattr(error, "hint", None)
    if isinstance(error, click.NoSuchOption):
        message = f"unknown option '{error.option_name}'"
        hint = did_you_mean(error.option_name, error.possibilities or ())
    else:
        message = _NOT_A_NUMBER.sub("is not a number", error.format_message())
        message = message[:1].lower() + message[1:].rstrip(".")
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "dealog"
    return Diagnostic(message, hint=hint or f"'{command} --help' shows what there is")


def _internal(error: Exception) -> Diagnostic:
    said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return Diagnostic(
        f"internal error, please report it together with the input ({said}). This is a fault of Dealog, not "
        "of your program; nothing has been written. With DEALOG_DEBUG=1 in the environment the same command "
        "shows the traceback.",
    )


def run() -> NoReturn:
    """The command: `main`, and out at once, without taking millions of objects apart first."""
    for name, mode, access in _STAND_INS:
        if getattr(sys, name) is None:  # the caller closed it: to read or write is an error, messages get lost
            setattr(sys, name, open(os.open(os.devnull, access), mode))  # noqa: SIM115
    sys.stdout.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]  # bytes of the input, as they were
    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:  # the language server closes what it has written to
                stream.flush()
        except OSError:  # nobody reads any more
            status = status or 1
    os._exit(status)


if __name__ == "__main__":
    run()
