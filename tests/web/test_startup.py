"""Starting a server: what pages show of the log is kept between starts, and made again on request."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.store.data_folder import open_log
from passline.streams.projection_store import VIEWS_FILE
from passline.web.startup import Settings, prepare, services_for


def _reached(settings: Settings) -> int:
    async def start() -> int:
        services = services_for(settings)
        services.views.start()
        try:
            _, seen = await services.views.read(lambda _store: None)
            return seen.as_of
        finally:
            await services.views.close()
            services.log.close()

    return asyncio.run(start())


@pytest.mark.whole
def test_views_are_kept_between_starts_and_made_again_on_request(tmp_path: Path) -> None:
    settings, path = Settings(tmp_path), tmp_path / VIEWS_FILE
    prepare(settings)
    reached = _reached(settings)
    assert reached >= 2
    kept = path.stat().st_ino
    assert _reached(settings) == reached
    assert path.stat().st_ino == kept
    prepare(Settings(tmp_path, rebuild_views=True))
    assert not path.exists()
    assert _reached(settings) >= reached


def test_a_new_house_that_keeps_its_office_here_is_intact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(Settings(tmp_path / "house", is_office_here=True)).table == "maryland-1"
    assert main(["verify", str(tmp_path / "house")]) == 0, capsys.readouterr().out
    with closing(open_log(tmp_path / "house")) as log:
        assert any(b"office-elected/1" in stored.body for stored in log.read_stream("house"))


def test_a_house_that_keeps_its_office_here_says_that_elsewhere_is_ignored(tmp_path: Path) -> None:
    here, elsewhere = Settings(tmp_path / "here", is_office_here=True), Settings(tmp_path / "elsewhere")
    for settings in (here, elsewhere):
        assert prepare(settings).notes == ()
        assert prepare(settings).notes == ()
    (note,) = prepare(Settings(here.data)).notes
    assert "--office elsewhere is ignored" in note
    assert "Set up" in note
