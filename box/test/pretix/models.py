"""Runs statements of pretix's own models, which come as lines of JSON: one process for all, because Django takes seconds to start."""
import json
import os
import sys
import traceback

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pretix.settings")
import django

django.setup()

from django.db import close_old_connections
from django_scopes import scopes_disabled
from pretix.base import models

for line in sys.stdin:
    names = dict(vars(models))
    try:
        close_old_connections()
        with scopes_disabled():
            exec(compile(json.loads(line), "statements", "exec"), names)
        said = {"answer": names.get("answer")}
    except Exception:
        said = {"error": traceback.format_exc()}
    # Whatever else is printed stands on other lines.
    print("models: " + json.dumps(said), flush=True)
