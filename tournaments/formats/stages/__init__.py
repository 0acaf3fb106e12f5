"""From one stage to the next: who goes on and why, previewed before it is applied."""

from .apply import Entrant, apply
from .compared import points_compared
from .model import (
    REASONS,
    TIES,
    BestOfPlace,
    Everybody,
    FirstOfEachGroup,
    FirstOverall,
    Going,
    Group,
    Qualification,
    Reason,
    Seeding,
    StagePreview,
    StageResult,
    Tie,
    UnequalGroups,
    Value,
)
from .plan import PlannedStage, plan_stages
from .preview import preview_stage
from .seeding import METHOD, meets_in, stage_lot

__all__ = [
    "METHOD",
    "REASONS",
    "TIES",
    "BestOfPlace",
    "Entrant",
    "Everybody",
    "FirstOfEachGroup",
    "FirstOverall",
    "Going",
    "Group",
    "PlannedStage",
    "Qualification",
    "Reason",
    "Seeding",
    "StagePreview",
    "StageResult",
    "Tie",
    "UnequalGroups",
    "Value",
    "apply",
    "meets_in",
    "plan_stages",
    "points_compared",
    "preview_stage",
    "stage_lot",
]
