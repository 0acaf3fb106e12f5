"""Public papers: the standings, the palio's table and the draw, with the names that may be shown."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from uuid import UUID

import segno
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from people.display_names import NameBook, Viewer
from people.models import Event, Team
from publishing.match_display import ShownMatch, shown
from publishing.overall import OverallTableRow
from publishing.rounds import resting
from publishing.standings_rows import PublicGroup, PublicStandingsRow
from publishing.timetable import TimetableRow as Shown
from rendering.components.component_inputs import look
from rendering.pdf.document import DocumentHead
from rendering.pdf.lists import Column, ListCell, ListSection, Seal, print_lists
from rendering.svg.team_banner import banner
from rendering.text.active_language import reader_language
from rendering.text.days import day
from tournaments.models import Stage, StandingsVersion, Tournament
from tournaments.queries.draw_edits_text import plans_repeated, sentences, squads_of
from tournaments.queries.match_views import RoundView
from tournaments.queries.matches import rounds
from tournaments.queries.palio import OverallTable
from tournaments.queries.squad_names import squad_names

Hours = Mapping[UUID, datetime]
"""When matches begin, by their ids."""


@lru_cache(maxsize=64)
def listed(
    head: DocumentHead,
    sections: tuple[ListSection, ...],
    language: str,
    seal: Seal | None = None,
    *,
    lying: bool = False,
    size: float = 11,
) -> bytes:
    """The PDF; made once for the same words."""
    return print_lists(head, sections, language, seal=seal, lying=lying, size=size)


def _size(rows: int) -> float:
    """The larger, the fewer lines there are: it is read from a notice board."""
    return 16 if rows <= 8 else 13 if rows <= 16 else 11


def shield(team: Team) -> str:
    """A team's banner as an ornament before its name."""
    return banner(*look(team), "shield", "")


def standings_paper(
    tournament: Tournament,
    version: StandingsVersion,
    rows: Sequence[PublicStandingsRow],
    groups: Sequence[PublicGroup],
    foot: str,
    seal: Seal | None,
) -> bytes:
    """The standings: final with what places are worth and the receipt, or as they stood at a moment."""
    title = _("Final table") if version.is_final else _("Standings")
    as_of = _as_of(version.computed_at, version.is_final) + _overtaken(version)
    sections = [ListSection("", *_standings(rows, final=version.is_final), as_of)]
    if not rows:
        sections = []
    for group in groups:
        name = _("Group %(name)s") % {"name": group.name}
        sections.append(ListSection(name, *_standings(group.rows, final=False)))
    return listed(
        DocumentHead(title, f"{tournament.event.name} · {tournament.name}", foot),
        tuple(sections),
        reader_language(),
        seal,
        size=_size(sum(len(section.rows) for section in sections)),
    )


def _overtaken(version: StandingsVersion) -> str:
    """The matches that were drawn before a correction, in a sentence that follows another; empty where there
    are none.
    """
    matches = len(version.outdated)
    if not matches:
        return ""
    if version.is_final:
        said = ngettext(
            "one match stands despite a correction",
            "%(matches)s matches stand despite a correction",
            matches,
        )
    else:
        said = ngettext("one match to be decided anew", "%(matches)s matches to be decided anew", matches)
    said %= {"matches": matches}
    return f" {said[:1].upper()}{said[1:]}."


def _standings(
    rows: Sequence[PublicStandingsRow], *, final: bool
) -> tuple[tuple[Column, ...], tuple[tuple[ListCell, ...], ...]]:
    has_points = any(row.points for row in rows)
    has_placement = final and any(row.placement for row in rows)
    columns = [Column(pgettext("standings", "Place"), 1.2, "right"), Column(_("Team"), 7)]
    if has_points:
        columns.append(Column(_("Games won") if rows[0].counts_games else _("Points"), 1.8, "right"))
    if has_placement:
        columns.append(Column(_("Placement points"), 2.2, "right"))
    lines = []
    for row in rows:
        told = [row.reason, *row.by_decision]
        cells = [
            ListCell(f"{row.place}=" if row.tied else str(row.place), strong=True),
            ListCell(row.name, (shield(row.team),), " · ".join(filter(None, told)), strong=True),
        ]
        if has_points:
            cells.append(ListCell(row.points))
        if has_placement:
            cells.append(ListCell(row.placement, strong=True))
        lines.append(tuple(cells))
    return tuple(columns), tuple(lines)


def palio_paper(table: OverallTable, lines: Sequence[OverallTableRow], foot: str, seal: Seal | None) -> bytes:
    """The overall table with what each discipline added."""
    event, version = table.palio.event, table.version
    names = [each.name for each in table.disciplines]
    columns = (
        Column(pgettext("standings", "Place"), 1.2, "right"),
        Column(_("Team"), 5),
        *(Column(name, 2, "right") for name in names),
        Column(_("Total"), 1.6, "right"),
    )
    rows = tuple(
        (
            ListCell(f"{each.place}=" if each.tied else str(each.place), strong=True),
            ListCell(each.team.name, (shield(each.team),), each.reason, strong=True),
            *(
                ListCell(share.points or "–", under=_("joker") if share.joker and share.points else "")
                for share in each.shares
            ),
            ListCell(each.total, strong=True),
        )
        for each in lines
    )
    title = _("Final table of the palio") if version.is_final else _("The palio so far")
    section = ListSection("", columns, rows, _as_of(version.computed_at, version.is_final))
    return listed(
        DocumentHead(title, event.name, foot),
        (section,),
        reader_language(),
        seal,
        lying=len(names) > 3,
        size=_size(len(rows) + 4),
    )


def draw_paper(tournament: Tournament, hours: Hours, foot: str) -> bytes:
    """The draw for the notice board: who meets whom where, and by which seed it can be repeated."""
    names = NameBook(Viewer.public(tournament.event))
    drawn = rounds(tournament)
    sections = [
        ListSection(
            each.name,
            *_meetings(each, names, hours),
            ". ".join(resting(tournament.event, tournament, each.number).sentences()),
        )
        for each in drawn
    ]
    sections.append(ListSection(_("Whoever wants to can repeat the draw"), (), (), _by_seed(tournament)))
    over = f"{tournament.event.name} · {tournament.name} · {_days(tournament.event)}"
    head = DocumentHead(_("The draw"), over, foot)
    return listed(head, tuple(sections), reader_language())


def _meetings(
    each: RoundView, names: NameBook, hours: Hours
) -> tuple[tuple[Column, ...], tuple[tuple[ListCell, ...], ...]]:
    matches = [shown(match, names) for wave in each.waves for match in wave.matches]
    sides = max(len(match.sides) for match in matches)
    apart = sides if sides <= 3 else 1
    told = any(match.view.id in hours for match in matches)
    parts = any(match.view.part_name for match in matches)
    columns = (
        *((Column(_("Hour"), 1.3),) if told else ()),
        *((Column(_("What is played"), 2.4),) if parts else ()),
        Column(_("Table"), 1.1),
        *(Column("", 9 / apart) for _side in range(apart)),
    )
    return columns, tuple(_meeting(match, hours if told else None, apart, parts=parts) for match in matches)


def _meeting(match: ShownMatch, hours: Hours | None, apart: int, *, parts: bool) -> tuple[ListCell, ...]:
    begins = hours.get(match.view.id) if hours else None
    if apart > 1:
        sides = [ListCell(match.name_on_paper(side), (shield(side.team),)) for side in match.sides]
        sides += [ListCell("")] * (apart - len(sides))
    else:
        sides = [ListCell("  –  ".join(match.name_on_paper(side) for side in match.sides))]
    return (
        *(() if hours is None else (ListCell(clock(begins) if begins else "", strong=True),)),
        *((ListCell(match.view.round_name),) if parts else ()),
        ListCell(str(match.view.table.number), strong=True),
        *sides,
    )


def timetable_paper(event: Event, listed: Sequence[Shown], foot: str, *, by_team: bool) -> bytes:
    """The timetable with a section for each table, or for each team. The one hangs at the tables, the other
    where people look for their own.
    """
    days = {localtime(each.item.hour.begins_at).date() for each in listed}
    form = "H:i" if len(days) < 2 else "j M, H:i"
    several = len({each.tournament.pk for each in listed}) > 1
    sections = _by_team(event, listed, form, several) if by_team else _by_table(listed, form, several)
    title = _("Timetable by team") if by_team else _("Timetable by table")
    return listed_paper(title, event, sections, foot)


def listed_paper(title: str, event: Event, sections: Sequence[ListSection], foot: str) -> bytes:
    """A paper of an event in the active language."""
    head = DocumentHead(title, f"{event.name} · {_days(event)}", foot)
    return listed(head, tuple(sections), reader_language())


def _days(event: Event) -> str:
    """The day of an event, or the first and the last."""
    return " – ".join(day(each, "j F Y") for each in dict.fromkeys((event.starts_on, event.ends_on)))


def _by_table(found: Sequence[Shown], form: str, several: bool) -> list[ListSection]:
    columns = (Column(_("Hour"), 1.4), Column(_("Who meets"), 7), Column(_("Round"), 2.6))
    numbers = sorted({each.match.view.table.number for each in found})
    return [
        ListSection(
            _("Table %(number)d") % {"number": number},
            columns,
            tuple(
                (
                    ListCell(_hour(each, form), strong=True),
                    ListCell("  –  ".join(side.players for side in each.match.sides)),
                    ListCell(_round(each), under=each.tournament.name if several else ""),
                )
                for each in found
                if each.match.view.table.number == number
            ),
        )
        for number in numbers
    ]


def _by_team(event: Event, found: Sequence[Shown], form: str, several: bool) -> list[ListSection]:
    columns = (
        *(Column(_("Hour"), 1.4), Column(_("Table"), 1), Column(_("Who plays"), 3.4)),
        *(Column(_("Against"), 4.2), Column(_("Round"), 2.2)),
    )
    sections = []
    for team in event.teams.order_by("number"):
        own = [
            (shown.squad, each, side)
            for each in found
            for shown, side in zip(each.match.view.sides, each.match.sides, strict=True)
            if side.team == team
        ]
        rows = [
            (
                ListCell(_hour(each, form), strong=True),
                ListCell(str(each.match.view.table.number), strong=True),
                ListCell(side.players),
                ListCell(", ".join(other.players for other in each.match.sides if other is not side)),
                ListCell(_round(each), under=each.tournament.name if several else ""),
            )
            # Who looks for somebody reads their whole day at once.
            for _squad, each, side in sorted(own, key=lambda row: row[0])
        ]
        if rows:
            sections.append(ListSection(team.name, columns, tuple(rows), drawings=(shield(team),)))
    return sections


def _hour(each: Shown, form: str) -> str:
    return day(localtime(each.item.hour.begins_at), form)


def _round(each: Shown) -> str:
    return each.match.view.round_name


def clock(moment: datetime) -> str:
    """An hour as it is read, in the time zone that is active."""
    return date_format(localtime(moment), "H:i")


def _by_seed(tournament: Tournament) -> str:
    stages = Stage.objects.filter(tournament=tournament).order_by("number")
    told = [
        _("Method %(method)s, seed %(seed)s.") % {"method": stage.method, "seed": stage.seed}
        for stage in stages
        if stage.method
    ]
    edited = [edit for stage in stages for edit in stage.edits]
    if edited:
        told += [_("Drawn so, then changed:")]
        told += sentences(edited, squad_names(Viewer.public(tournament.event), squads_of(edited)))
        told += filter(None, [plans_repeated(edited)])
    return " ".join(told)


def _as_of(moment: datetime, final: bool) -> str:
    when = day(localtime(moment), "j F Y, H:i")
    return (_("Final since %(when)s.") if final else _("As of %(when)s; not final yet.")) % {"when": when}


def seal(root: str, address: str) -> Seal:
    """The receipt that is printed below a table; `address` is the whole one of the page that checks it."""
    return Seal(
        _("Receipt"),
        _(
            "One number over everything that was recorded. Whoever keeps this leaf can prove later whether "
            "something was altered."
        ),
        root,
        address.partition("://")[2],
        tuple(tuple(bool(module) for module in row) for row in segno.make_qr(address, error="m").matrix),
    )
