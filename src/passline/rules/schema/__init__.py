"""The shape of a rulebook: what its TOML files may say, entry by entry. Other packages import its names from here."""

from passline.rules.schema.citations import *  # noqa: F403  # all public names of the package are offered here
from passline.rules.schema.rulebook import *  # noqa: F403  # likewise
from passline.rules.schema.side_wagers import *  # noqa: F403  # likewise
from passline.rules.schema.wagers import *  # noqa: F403  # likewise
from passline.rules.schema.words import *  # noqa: F403  # likewise
