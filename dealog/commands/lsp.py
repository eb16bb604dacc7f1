"""`dealog lsp`: the language server, for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dealog.options import allow_unregistered, with_deallocation, with_extensions

if TYPE_CHECKING:
    from dealog.deallocation import Deallocation
    from dealog.extensions import Extensions


@click.command("lsp", short_help="Serve an editor: findings, hovers, places of frees, in MLIR and rule files.")
@click.option("--stdio", is_flag=True, help="Talk on standard input and output; there is nothing else.")
@allow_unregistered
@with_deallocation
@with_extensions
def lsp_(stdio: bool, allow_unregistered: bool, deallocation: Deallocation, extensions: Extensions) -> None:
    """Speak the language server protocol on standard input and output, for MLIR and for rule files (.dl).

    An editor starts it; docs/editors.md says how to set that up. Needs pygls: pip install 'dealog[lsp]'. The options
    hold on top of the dealog.toml beside each file.
    """
    from dealog.checking.batch import Task
    from dealog.diagnostics import DealogError, Diagnostic
    from dealog.pipeline import Engine

    try:
        from dealog.lsp.features import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "the language server needs pygls, which is not installed"
        raise DealogError(Diagnostic(message, hint="pip install 'dealog[lsp]'")) from error
    serve(
        Task(
            Engine("embedded"), extensions, deallocation=deallocation, allow_unregistered=allow_unregistered,
        )
    )  # fmt: skip
