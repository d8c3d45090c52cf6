"""`passline manual`: man pages and shell completion for a folder such as /usr/local/share."""

from pathlib import Path
from typing import Annotated

import typer

from passline import __version__

__all__ = ["COMPLETIONS", "manual"]

COMPLETIONS = {
    "bash": "bash-completion/completions/passline",
    "zsh": "zsh/site-functions/_passline",
    "fish": "fish/vendor_completions.d/passline.fish",
}
"""Where each shell looks for a program's completion, below a folder such as /usr/local/share."""


def manual(
    context: typer.Context,
    share: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write them: such as /usr/local/share or ~/.local/share.")
    ],
) -> None:
    """Write man pages and the completion of bash, zsh and fish below a folder.

    There is a page for the program and one for each command (`man passline-house-check`), made from the same texts as
    --help. What is there already is replaced.
    """
    from passline.cli.manual.help_texts import help_texts
    from passline.cli.manual.man_pages import man_page, page_name

    commands = help_texts(context.find_root().command)
    files = {f"man/man1/{page_name(one)}.1": man_page(one, version=__version__) for one in commands}
    _written(share, files | {path: _completion(shell) for shell, path in COMPLETIONS.items()})


def _completion(shell: str) -> str:
    """Return what makes a shell complete the program's commands and options."""
    from typer._completion_shared import get_completion_script

    script = get_completion_script(prog_name="passline", complete_var="_PASSLINE_COMPLETE", shell=shell)
    if shell == "zsh":  # which loads the file when it is first needed, and would complete only from the second time
        script += '\n_passline_completion "$@"'
    return script


def _written(share: Path, files: dict[str, str]) -> None:
    """Write files below a folder, each whole, and say how many there are."""
    from passline.atomic_file import whole_file

    for name, text in files.items():
        path = share / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
    pages = sum(name.endswith(".1") for name in files)
    print(f"{share}: {pages} man pages, completion for {', '.join(COMPLETIONS)}")
