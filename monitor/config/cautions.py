"""What is valid and may not be meant; told at start and by `ragmon check-config`."""

from __future__ import annotations

from monitor.config.settings import Settings


def shared_with_another(settings: Settings) -> list[str]:
    """What a second ragmon shares with a first one, in one line; empty where nothing looks like a second one.

    A `source.group` of its own reads all traces again, beside whoever reads them already. With the case topic and the
    harvest group of the defaults each of the two would then get a part of the other's cases.
    """
    default = Settings()
    shared = {
        "topics.verdicts": settings.topics.verdicts == default.topics.verdicts,
        "topics.cases": settings.topics.cases == default.topics.cases,
        "dataset.group": settings.dataset.group == default.dataset.group,
        "dataset.path": settings.dataset.path == default.dataset.path,
    }
    is_second = settings.source.group != default.source.group and shared["topics.cases"] and shared["dataset.group"]
    if not is_second:
        return []
    names = ", ".join(name for name, is_default in shared.items() if is_default)
    what = f"source.group is {settings.source.group}, and of the defaults are {names}"
    mixed = "its verdicts would be in the other's numbers, and each would harvest a part of the other's cases"
    return [f"{what}: beside another ragmon {mixed}; give it its own of these"]
