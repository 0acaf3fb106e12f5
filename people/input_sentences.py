"""Problems as sentences in the reader's language: what was wrong, where, and what was expected."""

from datetime import date
from typing import Any

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from people.input_problems import Code, InputProblem, Param
from people.intake.encodings import FileKind
from people.intake.entry_fields import EntryField

_LABELS = {
    EntryField.LAST_NAME: _("last name"),
    EntryField.FIRST_NAME: _("first name"),
    EntryField.FULL_NAME: _("last and first name together"),
    EntryField.BIRTH_DATE: _("date of birth"),
    EntryField.TEAM: _("team"),
    EntryField.FAMILY: _("family"),
    EntryField.SCHOOL_CLASS: _("class"),
    EntryField.SECTION: _("section of the class"),
    EntryField.STRONG: _("strong player"),
    EntryField.NUMBER: _("number in the team"),
    EntryField.STATUS: _("state of the entry"),
    EntryField.NOTE: _("note"),
    "name": _("name"),
    "short_name": _("short name"),
    "place": _("place"),
    "starts_on": _("first day"),
    "ends_on": _("last day"),
    "time_zone": _("time zone"),
    "language": _("language"),
    "names_shown": _("how names are shown"),
    "team_word": _("word for the teams"),
    "min_age": _("lowest age"),
    "max_age": _("highest age"),
    "purge_after_days": _("days until names are erased"),
    "purged_at": _("names erased"),
    "color_one": _("first colour"),
    "color_two": _("second colour"),
    "division": _("division of the banner"),
    "emblem": _("emblem"),
    "shows_name": _("consent to showing the name"),
    "text": _("text"),
    "shown_until": _("shown until"),
}

_OF_KINDS = {
    FileKind.PDF: _("The file is a PDF; take the spreadsheet that it was made from, or copy its rows."),
    FileKind.IMAGE: _("The file is an image; type the rows into a spreadsheet, and save it as XLSX or CSV."),
    FileKind.DOCUMENT: _("The file is a document of Word or the like; copy its table and paste it here."),
    FileKind.SLIDES: _("The file is a presentation; copy its table and paste it here."),
    FileKind.WEB_PAGE: _("The file is a web page; open it in a spreadsheet, and save it as XLSX or CSV."),
    FileKind.ARCHIVE: _("The file is an archive (ZIP or the like); unpack it, and choose the list in it."),
    FileKind.OLD_EXCEL: _("The file is a workbook of the old kind (.xls); open it, and save it as XLSX."),
    FileKind.OPEN_DOCUMENT: _("The file is a spreadsheet of OpenDocument (.ods); save it as XLSX or CSV."),
    FileKind.NUMBERS: _("The file is one of Numbers; export it there as XLSX or CSV."),
    FileKind.LOCKED: _("The file has a password; save it as XLSX without one."),
    FileKind.SPREADSHEET: _(
        "The file is in a format that isn’t read here; save it as XLSX (without a password) or CSV."
    ),
}

_WRONG_AGE = ngettext_lazy(
    "“%(value)s” makes %(age)d year of age on the event's day (%(day)s); the event's settings allow %(min)d "
    "to %(max)d.",
    "“%(value)s” makes %(age)d years of age on the event's day (%(day)s); the event's settings allow %(min)d "
    "to %(max)d.",
    "age",
)
_SENTENCES = {
    Code.FILE_EMPTY: _("The file is empty; expected a line of headers and a line for each person."),
    Code.FILE_TOO_BIG: _("The file is bigger than %(limit)d MB; divide it into several files."),
    Code.FILE_TOO_MANY_ROWS: _("The file has more than %(limit)d rows; divide it into several files."),
    Code.FILE_TOO_MANY_SHEETS: _(
        "The file has more than %(limit)d sheets; copy the one with the people into a new file."
    ),
    Code.FILE_TOO_MANY_CELLS: _(
        "The file has more than %(limit)d cells or formats; copy the people’s rows into a new spreadsheet."
    ),
    Code.FILE_TOO_MANY_COLUMNS: _(
        "The first line has more than %(limit)d cells; expected a header for each column."
    ),
    Code.FILE_UTF16: _(
        "The file is in UTF-16 (“Unicode text”) and damaged; save it anew, best as CSV (UTF-8)."
    ),
    Code.FILE_BROKEN: _(
        "The file can’t be opened as a spreadsheet; open it, save it anew as XLSX or CSV, and try again."
    ),
    Code.FILE_UNFOLDS: _(
        "The file unfolds to more than %(limit)d MB; copy the rows with the people into a new spreadsheet."
    ),
    Code.SHEET_UNKNOWN: _("The file has no sheet “%(value)s”; its sheets are: %(found)s."),
    Code.FILE_BINARY: _("The file is neither a text nor a spreadsheet; expected XLSX or CSV."),
    Code.QUOTE_NOT_CLOSED: _(
        "A quotation mark is opened in this row and never closed; expected one at the end of the cell."
    ),
    Code.COLUMNS_MISSING: _("Columns are missing: %(missing)s. The first line has these headers: %(found)s."),
    Code.COLUMN_TWICE: _(
        "The columns %(columns)s both seem to hold the %(field)s; choose one of them by its place."
    ),
    Code.COLUMN_UNKNOWN: _("The file doesn't have this column; its headers are: %(found)s."),
    Code.COLUMN_SHARED: _(
        "This column is chosen for two fields (%(fields)s); choose another one for one of them."
    ),
    Code.NAMES_TWICE: _(
        "The names are chosen twice (%(fields)s); choose last name and first name, or the column that has "
        "both."
    ),
    Code.EMPTY_LINE: _("The line is empty and was passed over."),
    Code.EXTRA_COLUMN: ngettext_lazy(
        "“%(value)s” stands beyond the last column; expected %(width)d cell.",
        "“%(value)s” stands beyond the last column; expected %(width)d cells.",
        "width",
    ),
    Code.MISSING: _("The %(field)s is missing."),
    Code.TOO_LONG: _("“%(value)s” is too long; expected at most %(limit)d characters."),
    Code.ODD_CHARACTERS: _("“%(value)s” holds control or broken characters; type it again."),
    Code.STRANGE_LETTERS: _(
        "“%(value)s” has characters that no name has (%(letters)s): type it again or, if more rows have "
        "such, save the list as XLSX or CSV (UTF-8)."
    ),
    Code.NO_LETTERS: _("“%(value)s” has no letter; expected a name."),
    Code.DATE_UNREADABLE: _("“%(value)s” isn't a date; expected day/month/year, for example 05/03/2012."),
    Code.DATE_IMPOSSIBLE: _("“%(value)s” is a day that doesn't exist; expected day/month/year."),
    Code.DATE_SHORT_YEAR: _("“%(value)s” has a year of two digits; expected four, for example 05/03/2012."),
    Code.BORN_AFTER_EVENT: _("“%(value)s” is after the day of the event (%(day)s)."),
    Code.TOO_YOUNG: _WRONG_AGE,
    Code.TOO_OLD: _WRONG_AGE,
    Code.TEAM_UNKNOWN: _("There is no team “%(value)s”; expected one of: %(teams)s."),
    Code.FAMILY_UNNAMED: _(
        "“%(value)s” doesn't say which family; expected a word that brothers and sisters share."
    ),
    Code.NOT_YES_OR_NO: _("“%(value)s” is neither yes nor no; expected x, yes, no, or nothing."),
    Code.NOT_A_NUMBER: _("“%(value)s” is no number of an entry; expected 1 to %(max)d, or nothing."),
    Code.NUMBER_TAKEN: _("%(team)s has a number %(value)s already; expected another one, or nothing."),
    Code.STATUS_UNKNOWN: _(
        "“%(value)s” is no state of an entry; expected entered, withdrawn, absent, or nothing."
    ),
    Code.TWICE_IN_FILE: _(
        "The same person is on line %(other_line)d already (same names and date of birth)."
    ),
    Code.ALREADY_ENTERED: _("The same person is entered already, as %(entered_as)s."),
    Code.ENDS_BEFORE_START: _("The last day (%(ends_on)s) is before the first (%(starts_on)s)."),
    Code.AGES_OUT_OF_ORDER: _(
        "The ages %(min)d to %(max)d aren't a range; expected the lowest first, from 0 to 120."
    ),
    Code.OUT_OF_RANGE: _("Expected a whole number from %(min)d to %(max)d."),
    Code.NOT_A_CHOICE: _("“%(value)s” isn't one of the choices: %(choices)s."),
    Code.NOT_A_COLOR: _(
        "“%(value)s” isn't a colour; expected # and six hexadecimal digits, for example #b3261e."
    ),
    Code.NAME_TAKEN: _("“%(value)s” is another team's name in this event."),
    Code.OF_ANOTHER_EVENT: _("The team belongs to another event."),
    Code.TEAM_IN_USE: _("“%(value)s” has entries; withdraw or move them instead of removing the team."),
    Code.TEAM_COUNTED: _("“%(value)s” stands in the event’s overall table, so it can’t be removed any more."),
    Code.TIME_NOT_AHEAD: _("The time has passed, or is more than %(hours)d hours ahead."),
    Code.TOO_MANY_ANNOUNCEMENTS: _("%(limit)d announcements are up already; take one back first."),
}
_SUGGESTION = _("There is no team “%(value)s”; did you mean %(suggestion)s?")
_NO_CHOICE = _("“%(value)s” isn't known here.")


def field_label(field: str) -> str:
    """What a field is called on pages; other texts (a file's own headers) are returned as they are."""
    return str(_LABELS.get(field, field))


def place(problem: InputProblem) -> str:
    """Where the problem is: `line 14, column “Nato il”`, or an empty text for a whole file."""
    parts = []
    if problem.line is not None:
        parts.append(gettext("line %(line)d") % {"line": problem.line})
        if problem.column:
            parts.append(gettext("column “%(column)s”") % {"column": problem.column})
    elif problem.column:
        parts.append(field_label(problem.column))
    return ", ".join(parts)


def sentence(problem: InputProblem) -> str:
    """What is wrong and what was expected, without the place."""
    params = problem.params
    if problem.code in (Code.FILE_SPREADSHEET, Code.FILE_OTHER_KIND):
        return str(_OF_KINDS[FileKind(str(params.get("kind", FileKind.SPREADSHEET)))])
    text = _SENTENCES[problem.code]
    if problem.code is Code.TEAM_UNKNOWN and params.get("suggestion"):
        text = _SUGGESTION
    elif problem.code is Code.NOT_A_CHOICE and not params["choices"]:
        text = _NO_CHOICE
    return text % {"value": problem.value, **{name: _in_words(name, param) for name, param in params.items()}}


def full_sentence(problem: InputProblem) -> str:
    """Place and sentence in one line, for the command line and for lists without columns."""
    where = place(problem)
    return f"{where}: {sentence(problem)}" if where else sentence(problem)


def _in_words(name: str, param: Param) -> Any:
    """A parameter as sentences have it: fields by their names on pages, days as day/month/year."""
    several = param if isinstance(param, tuple) else (str(param),)
    match name:
        case "field" | "fields" | "missing":
            return ", ".join(map(field_label, several))
        case "found" | "columns":
            # Headers are the file's own words.
            return ", ".join(f"“{each}”" for each in several) or "–"
        case "teams" | "choices":
            return ", ".join(several) or "–"
        case "day" | "starts_on" | "ends_on":
            return f"{date.fromisoformat(str(param)):%d/%m/%Y}"
    return param
