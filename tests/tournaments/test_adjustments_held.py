"""Which points by decision hold: an opposite adjustment takes back the first of its like."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import Adjustment, still_held

TEAMS = [UUID(int=number) for number in (1, 2)]
DECIDED = st.lists(
    st.builds(Adjustment, st.sampled_from(TEAMS), st.sampled_from([-2, -1, 1, 2]), st.just("typing-error"))
)


@given(decided=DECIDED)
def test_point_adjustments_that_hold_add_up_to_all_and_contain_no_opposites(
    decided: list[Adjustment[UUID]],
) -> None:
    held = still_held(decided)
    for team in TEAMS:
        mine = [each.points for each in held if each.team == team]
        assert sum(mine) == sum(each.points for each in decided if each.team == team)
        assert not any(-points in mine for points in mine)
