"""Matches: of a tournament, by rounds, of a table, and one by one."""

from typing import Any

from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import DRAWN_TOURNAMENT, MATCH, TABLE, nothing_here
from api.schema import changes, lists, reads
from api.shapes.common import DecisionBody
from api.shapes.matches import MatchesQuery, MatchShape, RoundShape, entries_of, matches_of
from people.access import declares, organizes, reads_event
from people.display_names import NameBook
from tournaments.commands.calls import call_match, take_call_back
from tournaments.models import Match, Table, Tournament
from tournaments.queries.match_views import MatchView
from tournaments.queries.matches import load_matches, match_view, rounds, table_matches
from tournaments.queries.round_names import round_titles

TAG = "matches"
COLUMNS = {
    "round": "round",
    "wave": "wave",
    "table": "table",
    "team": "sides__squad__team",
    "entry": "match_games__game__seats__entry",
}


class MatchEndpoint(Endpoint):
    """Matches with the names that the reader may see."""

    def names(self, matches: list[MatchView]) -> dict[str, Any]:
        """What showing these matches needs: names, and what rounds are called; two queries."""
        return {
            "names": NameBook(self.viewer, entries_of(matches)),
            "titles": round_titles(match.tournament.pk for match in matches),
        }

    def current(self) -> Response:
        """The match of the address, as it is now."""
        found = match_view(self.subject.pk)
        if found is None:
            raise nothing_here()
        return self.answer(found, MatchShape, **self.names([found]))


@declares(reads_event, DRAWN_TOURNAMENT)
class TournamentMatches(MatchEndpoint):
    """The matches of a tournament."""

    subject: Tournament

    @lists("matches_list", TAG, MatchShape, "List matches", query=MatchesQuery)
    def list_all(self) -> Response:
        """In the order of play."""
        chosen = {COLUMNS[name]: value for name, value in self.query().items()}
        rows = Match.objects.filter(stage__tournament=self.subject).filter(**chosen).distinct()
        ordered = rows.order_by("stage__number", "round", "wave", "table__number")
        return self.page(ordered, MatchShape, load=loaded, context=self.names)

    @lists("rounds_list", TAG, RoundShape, "List rounds", in_pages=False)
    def list_rounds(self) -> Response:
        """All of it at once: rounds, waves and matches."""
        found = rounds(self.subject)
        return Response(RoundShape(found, many=True, context=self.names(matches_of(found))).data)


@declares(reads_event, TABLE)
class TableMatches(MatchEndpoint):
    """What is played at a table."""

    subject: Table

    @lists("tables_matches", TAG, MatchShape, "List a table's matches", in_pages=False)
    def list_all(self) -> Response:
        """In the order of play, those of published tournaments: the first that isn't done is on."""
        found = table_matches(self.subject)
        return Response(MatchShape(found, many=True, context=self.names(found)).data)


@declares(organizes, MATCH)
class MatchDetail(MatchEndpoint):
    """A match."""

    subject: Match

    @declares(reads_event)
    @reads("matches_read", TAG, MatchShape, "Read a match")
    def read(self) -> None:
        """Its sides and games."""

    @changes("matches_call", TAG, MatchShape, "Call a match to its table", DecisionBody)
    def call(self, **said: Any) -> None:
        """Its players are called, now; again as often as need be. 409 `match-begun` once they play."""
        call_match(self.subject, self.actor, **said)

    @changes("matches_take_call_back", TAG, MatchShape, "Take a call back", DecisionBody)
    def take_call_back(self, **said: Any) -> None:
        """Its players weren't called after all."""
        take_call_back(self.subject, self.actor, **said)


def loaded(matches: list[Match]) -> list[MatchView]:
    """A page's matches with all that is shown of them."""
    order = {match.pk: at for at, match in enumerate(matches)}
    return sorted(load_matches(Match.objects.filter(pk__in=list(order))), key=lambda match: order[match.id])
