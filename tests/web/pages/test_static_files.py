"""Style sheets and scripts: kept by browsers under the address that pages name, and looked at again under any other."""

import re

from passline.web.pages.static_files import STATIC, static_address, static_digest
from tests.web.house import House

_KEPT, _ASKED_AGAIN = "public, max-age=31536000, immutable", "no-cache"


def test_pages_name_what_they_load_by_its_digest_and_browsers_keep_it(house: House) -> None:
    nobody = house.people["nobody"]
    named = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', nobody.get("/log-in").text))
    assert len(named) > 4
    for path in named:
        assert path.startswith(static_address()), path
        answer = nobody.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, _KEPT), path


def test_what_is_asked_for_without_the_digest_of_now_is_never_kept_unseen(house: House) -> None:
    """A page that was open over an upgrade names another digest; a person or a program none."""
    nobody = house.people["nobody"]
    for path in ("/static/base.css", f"/static/{'0' * len(static_digest())}/base.css"):
        answer = nobody.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, _ASKED_AGAIN), path
        assert answer.text == (STATIC / "base.css").read_text(encoding="utf-8")
        again = nobody.client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.headers["Cache-Control"]) == (304, _ASKED_AGAIN)
    for path in (f"{static_address()}/none.css", f"{static_address()}/../../app.py", static_address()):
        assert nobody.get(path).status_code == 404, path
