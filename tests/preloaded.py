"""What the process imports that servers are forked from, and nothing else: `tests.forks` starts it."""

import gc

import passline.cli.main
import passline.cli.serve
import passline.office.views.writing
import passline.web.app
import passline.web.server.http_protocol
import passline.web.server.websocket_protocol
import passline.web.startup
import passline.web.workers  # noqa: F401
import tests.killed_server
import tests.web.browser.scripted_server  # noqa: F401

gc.freeze()  # so that the collector of a fork leaves these pages alone, which it shares with all others
