"""pretix's settings for making its tables as its models have them now, as pretix's own tests do: hundreds of migrations take minutes."""
from pretix.settings import *  # noqa: F403


class Unmigrated(dict):
    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None

    def get(self, app, default=None):
        return None


MIGRATION_MODULES = Unmigrated()
