"""Results that have to be confirmed before they count."""

from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.engine import Refusal
from games.models import Game
from ledger import outbox, read
from ledger.errors import ClientIdReusedError, ConflictError
from people.actors import Actor
from people.models import Pairing
from people.refusals import Refused
from tests.support import factories
from tests.support.run.long import examples
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.confirm import (
    Checked,
    confirm,
    confirm_several,
    dispute,
    keep,
    settle_by_correction,
)
from tournaments.commands.following_rounds import advance
from tournaments.commands.set_up import change_settings
from tournaments.facts import outbox_topics
from tournaments.models import DrawnRound, MatchGame, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.matches import match_view
from tournaments.settings.confirmation import Check

pytestmark = pytest.mark.django_db
DESK = Actor.command()


class Tent:
    """A tournament of a round at three tables, with two referees' phones."""

    def __init__(self, confirmation: str = "second_person", **wanted: Any) -> None:
        self.event = factories.make_event()
        self.tournament = factories.drawn_tournament(
            self.event, **{"rounds": 1, "confirmation": confirmation, **wanted}
        )
        self.first, self.second = (phone(self.event) for _ in range(2))
        self.games = factories.games_of(self.tournament)

    def enter(self, game: MatchGame, seat: int = 0, actor: Actor | None = None) -> int:
        """A result; the version of the log."""
        return results.enter_result(game, actor or self.first, seat=seat).version

    def played(self) -> int:
        """How many games the standings count."""
        version = standings.compute(self.tournament.pk)
        assert version is not None
        return version.games_played

    def facts(self, game: MatchGame) -> list[tuple[str, dict[str, Any]]]:
        """What was said of the results of a match."""
        return [(fact.type, fact.body) for fact in read.facts(game.match_id)]


def phone(event: Any, referee: Any = None) -> Actor:
    pairing, _secret = factories.make_pairing(event, referee)
    return Actor.of_pairing(Pairing.objects.get(pk=pairing.pk))


def code_of(work: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(Refused) as refused:
        work(*args, **options)
    return refused.value.code


def test_confirmation_by_somebody_else_makes_a_result_count() -> None:
    tent = Tent()
    game = tent.games[0]
    version = tent.enter(game)
    assert tent.played() == 0
    assert code_of(confirm, game, tent.first, expected_version=version) == "same-person"
    again = phone(tent.event, tent.first.pairing.referee)  # type: ignore[union-attr]
    assert code_of(confirm, game, again, expected_version=version) == "same-person"
    assert tent.played() == 0
    assert confirm(game, tent.second, expected_version=version) == Checked(version, Check.CONFIRMED)
    assert outbox.pending(outbox_topics.STANDINGS) == [tent.tournament.pk]
    assert tent.played() == 1
    assert code_of(confirm, game, tent.second, expected_version=version) == "already-confirmed"
    said = {"game": str(game.game_id), "version": version}
    assert tent.facts(game) == [
        ("result_confirmed", {**said, "by": str(tent.second.id), "by_kind": "pairing"})
    ]
    assert_sound(tent.tournament)


def test_confirmation_sent_twice_is_one_fact() -> None:
    tent = Tent()
    game, key = tent.games[0], uuid4()
    version = tent.enter(game)
    for _ in range(2):
        assert confirm(game, tent.second, expected_version=version, client_id=key).check is Check.CONFIRMED
    assert len(tent.facts(game)) == 1
    with pytest.raises(ClientIdReusedError):
        confirm(game, tent.second, expected_version=version + 1, client_id=key)
    with pytest.raises(ClientIdReusedError):
        dispute(tent.games[1], tent.second, "not-over", expected_version=0, client_id=key)


def test_confirmation_that_is_refused_stores_nothing() -> None:
    tent = Tent()
    game = tent.games[0]
    assert code_of(confirm, game, tent.second, expected_version=0) == "nothing-to-confirm"
    assert code_of(keep, game, DESK, expected_version=0) == "no-dispute"
    version = tent.enter(game)
    with pytest.raises(ConflictError) as moved:
        confirm(game, tent.second, expected_version=version - 1)
    assert moved.value.current_version == version
    assert code_of(dispute, game, tent.second, "bad mood", expected_version=version) == "unknown-reason"
    assert code_of(dispute, game, tent.first, "not-over", expected_version=version) == "same-person"
    assert code_of(keep, game, DESK, expected_version=version) == "no-dispute"
    assert code_of(keep, game, tent.second, expected_version=version) == "organizer-needed"
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    options = {"expected_version": version, "client_id": uuid4()}
    settling = (settle_by_correction, game, DESK, version, [right], "wrong-winner")
    assert code_of(*settling, **options) == "no-dispute"
    assert (tent.facts(game), Game.objects.get(pk=game.game_id).version) == ([], version)
    free = Tent("none")
    version = free.enter(free.games[0])
    assert code_of(confirm, free.games[0], DESK, expected_version=version) == "confirmation-not-asked"


def test_confirmation_by_organizers_alone_where_it_is_theirs() -> None:
    tent = Tent("organizer")
    game = tent.games[0]
    version = tent.enter(game)
    assert code_of(confirm, game, tent.second, expected_version=version) == "organizer-needed"
    assert tent.played() == 0
    confirm(game, DESK, expected_version=version)
    assert tent.played() == 1


def test_corrected_result_waits_for_confirmation_again_even_if_the_same() -> None:
    tent = Tent()
    game = tent.games[0]
    version = tent.enter(game)
    confirm(game, tent.second, expected_version=version)
    assert tent.played() == 1
    same = {"type": "game_closed", "reason": "result", "winner": 0}
    written = results.correct(game, tent.second, version, [same], "typing-error")
    assert not written.outcome_changed
    assert outbox.pending(outbox_topics.STANDINGS) == [tent.tournament.pk]
    assert tent.played() == 0
    # Who corrected is not a second person, and who entered it at first is.
    assert code_of(confirm, game, tent.second, expected_version=written.version) == "same-person"
    confirm(game, tent.first, expected_version=written.version)
    assert tent.played() == 1
    assert_sound(tent.tournament)


@pytest.mark.parametrize("was_confirmed", [True, False])
def test_correction_to_the_same_makes_a_version_only_of_what_was_confirmed(was_confirmed: bool) -> None:
    tent = Tent()
    game = tent.games[0]
    version = tent.enter(game)
    if was_confirmed:
        confirm(game, tent.second, expected_version=version)
    tent.played()
    same = {"type": "game_closed", "reason": "result", "winner": 0}
    results.correct(game, tent.second, version, [same], "typing-error")
    # Should nobody hear of it, whoever builds everything again has to tell the one from the other.
    taken = outbox.take(outbox_topics.STANDINGS, tent.tournament.pk)
    outbox.settle(taken)

    before = StandingsVersion.objects.count()
    rebuild(tent.event)

    assert (bool(taken), StandingsVersion.objects.count() - before) == (was_confirmed, int(was_confirmed))
    assert_sound(tent.tournament)


def test_dispute_is_settled_by_keeping_or_by_correcting() -> None:
    tent = Tent()
    kept, corrected = tent.games[:2]
    for game in (kept, corrected):
        version = tent.enter(game)
        found = dispute(game, tent.second, "wrong-winner", expected_version=version)
        assert found == Checked(version, Check.DISPUTED)
        assert code_of(confirm, game, tent.second, expected_version=version) == "result-disputed"
        assert code_of(confirm, game, DESK, expected_version=version) == "result-disputed"
    assert tent.played() == 0
    assert keep(kept, DESK, expected_version=version).check is Check.CONFIRMED
    assert tent.played() == 1
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    key = uuid4()
    options: dict[str, Any] = {"expected_version": version, "client_id": key}
    written = settle_by_correction(corrected, DESK, version, [right], "wrong-winner", **options)
    again = settle_by_correction(corrected, DESK, version, [right], "wrong-winner", **options)
    assert again == written == Checked(written.version, Check.CONFIRMED)
    assert tent.played() == 2
    assert kept.match_id == corrected.match_id
    said = [(type_, body.get("outcome"), body["version"]) for type_, body in tent.facts(kept)]
    assert said == [
        ("result_disputed", None, version),
        ("result_disputed", None, version),
        ("dispute_settled", "kept", version),
        ("dispute_settled", "corrected", written.version),
    ]
    assert_sound(tent.tournament)


def test_dispute_is_over_once_the_result_is_put_right_at_the_table() -> None:
    tent = Tent()
    game = tent.games[0]
    version = tent.enter(game)
    dispute(game, tent.second, "wrong-winner", expected_version=version)
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    written = results.correct(game, tent.first, version, [right], "wrong-winner")
    view = match_view(game.match_id)
    assert view is not None
    assert next(each.check for each in view.games if each.id == game.game_id) is Check.WAITING
    confirm(game, tent.second, expected_version=written.version)
    assert tent.played() == 1
    assert_sound(tent.tournament)


def test_confirmation_of_several_leaves_out_what_has_changed_since() -> None:
    tent = Tent("organizer")
    versions = {game.game_id: tent.enter(game) for game in tent.games[:4]}
    moved, disputed = tent.games[2], tent.games[3]
    results.correct(moved, tent.first, versions[moved.game_id], [], "typing-error")
    dispute(disputed, tent.second, "not-over", expected_version=versions[disputed.game_id])
    for _ in range(2):
        confirmed, left = confirm_several(tent.tournament, DESK, versions)
        assert set(confirmed) == {tent.games[0].game_id, tent.games[1].game_id}
        assert set(left) == {moved.game_id, disputed.game_id}

    assert code_of(confirm_several, tent.tournament, tent.second, versions) == "organizer-needed"
    assert tent.played() == 2
    assert_sound(tent.tournament)


def test_closing_waits_for_confirmations_and_says_which() -> None:
    tent = Tent()
    for game in tent.games:
        tent.enter(game)
    view = match_view(tent.games[0].match_id)
    assert view is not None
    assert {side.points for side in view.sides} == {0}
    waiting = {game.game_id: Game.objects.get(pk=game.game_id).version for game in tent.games}
    last = tent.games[-1]
    confirm_several(
        tent.tournament, DESK, {key: value for key, value in waiting.items() if key != last.game_id}
    )
    with pytest.raises(Refused) as refused, translation.override("en"):
        close_tournament(tent.tournament, DESK)
    assert (refused.value.code, refused.value.params) == (
        "results-to-confirm",
        {"games": [str(last.game_id)]},
    )
    table = last.match.table.number
    assert f"round 1, table {table}, game {last.number}" in str(refused.value)
    dispute(last, tent.second, "wrong-points", expected_version=waiting[last.game_id])
    assert code_of(close_tournament, tent.tournament, DESK) == "dispute-open"
    keep(last, DESK, expected_version=waiting[last.game_id])
    closed = close_tournament(tent.tournament, DESK)
    assert closed.status == Tournament.Status.CLOSED
    assert code_of(confirm, last, DESK, expected_version=waiting[last.game_id]) == "tournament-closed"
    assert_sound(tent.tournament)


def test_confirmation_rule_can_come_and_go_during_play() -> None:
    tent = Tent("none")
    before, after = tent.games[:2]
    first = tent.enter(before)
    assert tent.played() == 1
    asked = {**tent.tournament.settings, "confirmation": "second_person"}
    change_settings(tent.tournament, DESK, asked, reason="organizer-decision")
    # What was in counts on; from now on somebody has to confirm.
    assert tent.played() == 1
    second = tent.enter(after)
    assert tent.played() == 1
    results.correct(before, tent.first, first, [], "typing-error")
    tent.enter(before)
    assert tent.played() == 0
    dispute(after, tent.second, "not-over", expected_version=second)
    free = {**asked, "confirmation": "none"}
    assert (
        code_of(change_settings, tent.tournament, DESK, free, reason="organizer-decision") == "dispute-open"
    )
    keep(after, DESK, expected_version=second)
    change_settings(tent.tournament, DESK, free, reason="organizer-decision")
    assert tent.played() == 2
    assert_sound(tent.tournament)


def test_next_round_waits_for_confirmations() -> None:
    event = factories.make_event()
    factories.make_field(event, 4, 1)
    tournament = factories.drawn_tournament(
        event, format="swiss", options={"rounds": 2}, confirmation="second_person"
    )
    first, second = phone(event), phone(event)
    read_at = {
        game: results.enter_result(game, first, seat=0).version for game in factories.games_of(tournament)
    }
    standings.compute(tournament.pk)
    advance(tournament.pk)
    rounds = DrawnRound.objects.filter(stage__tournament=tournament)
    assert rounds.count() == 1
    for game, version in read_at.items():
        confirm(game, second, expected_version=version)
    standings.compute(tournament.pk)
    advance(tournament.pk)
    assert rounds.count() == 2
    assert_sound(tournament)


STEPS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["enter", "correct", "confirm", "dispute", "keep", "take back", "stale"]),
        st.integers(0, 1),
    ),
    max_size=14,
)


def play(tent: Tent, steps: list[tuple[int, str, int]]) -> None:
    """One thing after another, as they come; what is refused stores nothing."""
    for place, what, who in steps:
        game = tent.games[place]
        actor = (tent.first, tent.second)[who]
        version = Game.objects.get(pk=game.game_id).version
        right = {"type": "game_closed", "reason": "result", "winner": who}
        try:
            match what:
                case "enter":
                    results.enter_result(game, actor, seat=who)
                case "correct":
                    results.correct(game, actor, version, [right], "wrong-winner")
                case "take back":
                    results.correct(game, actor, version, [], "typing-error")
                case "confirm":
                    confirm(game, actor, expected_version=version)
                case "stale":
                    confirm(game, actor, expected_version=max(0, version - 1))
                case "dispute":
                    dispute(game, actor, "wrong-winner", expected_version=version)
                case "keep":
                    keep(game, DESK, expected_version=version)
        except (Refused, ConflictError, Refusal):
            pass
        if what in ("confirm", "enter"):
            standings.compute(tent.tournament.pk)


def counted_without_confirmation(tent: Tent) -> list[UUID]:
    """The games that the standings count, though the last facts of their matches don't confirm them."""
    read_in = inputs_now(tent.tournament)
    counts = {UUID(str(result.game)) for result in read_in.results() if result.closed is not None}
    confirmed = set()
    for game in tent.games:
        version = Game.objects.get(pk=game.game_id).version
        said = [
            body["version"]
            for type_, body in tent.facts(game)
            if body["game"] == str(game.game_id) and type_ != "result_disputed"
        ]
        if said and said[-1] == version:
            confirmed.add(game.game_id)
    return sorted(counts - confirmed)


# Which order counts hangs on no database; races are in `test_tournament_race`.
@pytest.mark.sqlite
class TestWhateverHappens(TestCase):
    """Properties over many orders of facts."""

    @examples(36, derandomize=True)
    @given(STEPS)
    def test_unconfirmed_results_never_count(self, steps: list[tuple[int, str, int]]) -> None:
        tent = Tent()
        play(tent, steps)
        assert counted_without_confirmation(tent) == []
        assert_sound(tent.tournament)


def test_twin_unconfirmed_result_counts_without_the_safeguard() -> None:
    tent = Tent()
    with mock.patch(
        "tournaments.projections.standings_inputs.counted", lambda rule, outcomes, confirmed: outcomes
    ):
        play(tent, [(0, "enter", 0)])
        assert counted_without_confirmation(tent) == [tent.games[0].game_id]


@pytest.mark.parametrize("confirmation", ["second_person", "organizer"])
def test_confirmed_results_give_the_standings_of_a_tournament_without_rule(confirmation: str) -> None:
    asked = Tent(confirmation)
    free = Tournament.objects.get(pk=factories.drawn_tournament(asked.event, name="Libero", rounds=1).pk)
    actor = asked.second if confirmation == "second_person" else DESK
    for place, (game, other) in enumerate(zip(asked.games, factories.games_of(free), strict=True)):
        confirm(game, actor, expected_version=asked.enter(game, place % 2))
        asked.enter(other, place % 2)
    rows = []
    for tournament in (asked.tournament, free):
        version = standings.compute(tournament.pk)
        assert isinstance(version, StandingsVersion)
        columns = ("team", "place", "games_won", "games_played", "metrics", "placement_points")
        rows.append((version.games_played, list(version.rows.order_by("position").values_list(*columns))))

    assert rows[0] == rows[1]
