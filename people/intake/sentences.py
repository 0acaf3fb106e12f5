"""Problems as sentences in the reader's language: what was wrong, where, and what was expected."""

from collections.abc import Callable, Mapping
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.intake.encodings import FileKind
from people.intake.problems import Code, EntryField, IntakeProblem, Param


def field_label(field: str) -> str:
    """What a field is called on pages; other texts (a file's own headers) are returned as they are."""
    labels = {
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
        "text_it": _("text in Italian"),
        "text_en": _("text in English"),
        "shown_until": _("shown until"),
    }
    return labels.get(field, field)


def place(problem: IntakeProblem) -> str:
    """Where the problem is: `line 14, column “Nato il”`, or an empty text for a whole file."""
    parts = []
    if problem.line is not None:
        parts.append(_("line %(line)d") % {"line": problem.line})
        if problem.column:
            parts.append(_("column “%(column)s”") % {"column": problem.column})
    elif problem.column:
        parts.append(field_label(problem.column))
    return ", ".join(parts)


def sentence(problem: IntakeProblem) -> str:
    """What is wrong and what was expected, without the place."""
    return _SENTENCES[problem.code](problem.value, problem.params)


def full_sentence(problem: IntakeProblem) -> str:
    """Place and sentence in one line, for the command line and for lists without columns."""
    where = place(problem)
    return f"{where}: {sentence(problem)}" if where else sentence(problem)


def _listed(value: Param) -> str:
    """Values of a parameter in a row; fields by their names on pages."""
    values = value if isinstance(value, tuple) else (str(value),)
    return ", ".join(field_label(each) for each in values)


def _file_empty(value: str, params: Mapping[str, Param]) -> str:
    return _("The file is empty; expected a line of headers and a line for each person.")


def _file_too_big(value: str, params: Mapping[str, Param]) -> str:
    return _("The file is bigger than %(limit)d MB; divide it into several files.") % params


def _file_too_many_rows(value: str, params: Mapping[str, Param]) -> str:
    return _("The file has more than %(limit)d rows; divide it into several files.") % params


def _file_too_many_sheets(value: str, params: Mapping[str, Param]) -> str:
    return (
        _("The file has more than %(limit)d sheets; copy the one with the people into a new file.") % params
    )


def _file_too_many_cells(value: str, params: Mapping[str, Param]) -> str:
    return (
        _("The file has more than %(limit)d cells or formats; copy the people’s rows into a new spreadsheet.")
        % params
    )


def _file_too_many_columns(value: str, params: Mapping[str, Param]) -> str:
    return _("The first line has more than %(limit)d cells; expected a header for each column.") % params


def _file_utf16(value: str, params: Mapping[str, Param]) -> str:
    return _("The file is in UTF-16 (“Unicode text”) and damaged; save it anew, best as CSV (UTF-8).")


def _file_of_kind(value: str, params: Mapping[str, Param]) -> str:
    sentences = {
        FileKind.PDF: _("The file is a PDF; take the spreadsheet that it was made from, or copy its rows."),
        FileKind.IMAGE: _(
            "The file is an image; type the rows into a spreadsheet, and save it as XLSX or CSV."
        ),
        FileKind.DOCUMENT: _("The file is a document of Word or the like; copy its table and paste it here."),
        FileKind.SLIDES: _("The file is a presentation; copy its table and paste it here."),
        FileKind.WEB_PAGE: _("The file is a web page; open it in a spreadsheet, and save it as XLSX or CSV."),
        FileKind.ARCHIVE: _(
            "The file is an archive (ZIP or the like); unpack it, and choose the list in it."
        ),
        FileKind.OLD_EXCEL: _("The file is a workbook of the old kind (.xls); open it, and save it as XLSX."),
        FileKind.OPEN_DOCUMENT: _(
            "The file is a spreadsheet of OpenDocument (.ods); save it as XLSX or CSV."
        ),
        FileKind.NUMBERS: _("The file is one of Numbers; export it there as XLSX or CSV."),
        FileKind.LOCKED: _("The file has a password; save it as XLSX without one."),
    }
    other = _("The file is in a format that isn’t read here; save it as XLSX (without a password) or CSV.")
    return sentences.get(FileKind(str(params.get("kind", FileKind.SPREADSHEET))), other)


def _file_broken(value: str, params: Mapping[str, Param]) -> str:
    return _(
        "The file can’t be opened as a spreadsheet; open it, save it anew as XLSX or CSV, and try again."
    )


def _file_unfolds(value: str, params: Mapping[str, Param]) -> str:
    return _(
        "The file unfolds to more than %(limit)d MB; copy the rows with the people into a new spreadsheet."
    ) % {"limit": params["limit"]}


def _sheet_unknown(value: str, params: Mapping[str, Param]) -> str:
    return _("The file has no sheet “%(value)s”; its sheets are: %(found)s.") % {
        "value": value,
        "found": ", ".join(f"“{each}”" for each in _texts(params["found"])) or "–",
    }


def _file_binary(value: str, params: Mapping[str, Param]) -> str:
    return _("The file is neither a text nor a spreadsheet; expected XLSX or CSV.")


def _quote_not_closed(value: str, params: Mapping[str, Param]) -> str:
    return _("A quotation mark is opened in this row and never closed; expected one at the end of the cell.")


def _columns_missing(value: str, params: Mapping[str, Param]) -> str:
    return _("Columns are missing: %(missing)s. The first line has these headers: %(found)s.") % {
        "missing": _listed(params["missing"]),
        # Headers are the file's own words.
        "found": ", ".join(f"“{each}”" for each in _texts(params["found"])) or "–",
    }


def _column_twice(value: str, params: Mapping[str, Param]) -> str:
    return _("The columns %(columns)s both seem to hold the %(field)s; choose one of them.") % {
        "columns": ", ".join(f"“{each}”" for each in _texts(params["columns"])),
        "field": field_label(str(params["field"])),
    }


def _column_unknown(value: str, params: Mapping[str, Param]) -> str:
    return _("The file doesn't have this column; its headers are: %(found)s.") % {
        "found": ", ".join(f"“{each}”" for each in _texts(params["found"])) or "–"
    }


def _column_shared(value: str, params: Mapping[str, Param]) -> str:
    return _("This column is chosen for two fields (%(fields)s); choose another one for one of them.") % {
        "fields": _listed(params["fields"])
    }


def _names_twice(value: str, params: Mapping[str, Param]) -> str:
    return _(
        "The names are chosen twice (%(fields)s); choose last name and first name, or the column that has "
        "both."
    ) % {"fields": _listed(params["fields"])}


def _texts(value: Param) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _day(value: Param) -> str:
    """A day as lists write it, in either language: day/month/year."""
    return f"{date.fromisoformat(str(value)):%d/%m/%Y}"


def _empty_line(value: str, params: Mapping[str, Param]) -> str:
    return _("The line is empty and was passed over.")


def _extra_column(value: str, params: Mapping[str, Param]) -> str:
    return ngettext(
        "“%(value)s” stands beyond the last column; expected %(width)d cell.",
        "“%(value)s” stands beyond the last column; expected %(width)d cells.",
        int(str(params["width"])),
    ) % {"value": value, **params}


def _missing(value: str, params: Mapping[str, Param]) -> str:
    return _("The %(field)s is missing.") % {"field": field_label(str(params["field"]))}


def _too_long(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is too long; expected at most %(limit)d characters.") % {"value": value, **params}


def _odd_characters(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” holds control or broken characters; type it again.") % {"value": value}


def _strange_letters(value: str, params: Mapping[str, Param]) -> str:
    return _(
        "“%(value)s” has characters that no name has (%(letters)s): type it again or, if more rows have "
        "such, save the list as XLSX or CSV (UTF-8)."
    ) % {"value": value, **params}


def _no_letters(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” has no letter; expected a name.") % {"value": value}


def _date_unreadable(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” isn't a date; expected day/month/year, for example 05/03/2012.") % {"value": value}


def _date_impossible(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is a day that doesn't exist; expected day/month/year.") % {"value": value}


def _date_short_year(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” has a year of two digits; expected four, for example 05/03/2012.") % {
        "value": value
    }


def _born_after_event(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is after the day of the event (%(day)s).") % {
        "value": value,
        "day": _day(params["day"]),
    }


def _wrong_age(value: str, params: Mapping[str, Param]) -> str:
    return ngettext(
        "“%(value)s” makes %(age)d year of age on the event's day (%(day)s); expected %(min)d to %(max)d.",
        "“%(value)s” makes %(age)d years of age on the event's day (%(day)s); expected %(min)d to %(max)d.",
        int(str(params["age"])),
    ) % {"value": value, **params, "day": _day(params["day"])}


def _team_unknown(value: str, params: Mapping[str, Param]) -> str:
    if params.get("suggestion"):
        return _("There is no team “%(value)s”; did you mean %(suggestion)s?") % {"value": value, **params}
    return _("There is no team “%(value)s”; expected one of: %(teams)s.") % {
        "value": value,
        "teams": ", ".join(_texts(params.get("teams", ()))) or "–",
    }


def _family_unnamed(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” doesn't say which family; expected a word that brothers and sisters share.") % {
        "value": value
    }


def _not_yes_or_no(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is neither yes nor no; expected x, yes, no, or nothing.") % {"value": value}


def _not_a_number(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is no number of an entry; expected 1 to %(max)d, or nothing.") % {
        "value": value, **params,
    }  # fmt: skip


def _number_taken(value: str, params: Mapping[str, Param]) -> str:
    return _("%(team)s has a number %(value)s already; expected another one, or nothing.") % {
        "value": value, **params,
    }  # fmt: skip


def _status_unknown(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is no state of an entry; expected entered, withdrawn, absent, or nothing.") % {
        "value": value
    }


def _twice_in_file(value: str, params: Mapping[str, Param]) -> str:
    return _("The same person is on line %(other_line)d already (same names and date of birth).") % params


def _already_entered(value: str, params: Mapping[str, Param]) -> str:
    return _("The same person is entered already, as %(entered_as)s.") % params


def _ends_before_start(value: str, params: Mapping[str, Param]) -> str:
    return _("The last day (%(ends_on)s) is before the first (%(starts_on)s).") % {
        name: _day(params[name]) for name in ("starts_on", "ends_on")
    }


def _ages_out_of_order(value: str, params: Mapping[str, Param]) -> str:
    return _("The ages %(min)d to %(max)d aren't a range; expected the lowest first, from 0 to 120.") % params


def _out_of_range(value: str, params: Mapping[str, Param]) -> str:
    return _("Expected a whole number from %(min)d to %(max)d.") % params


def _not_a_choice(value: str, params: Mapping[str, Param]) -> str:
    choices = _texts(params["choices"])
    if choices:
        return _("“%(value)s” isn't one of the choices: %(choices)s.") % {
            "value": value, "choices": ", ".join(choices),
        }  # fmt: skip
    return _("“%(value)s” isn't known here.") % {"value": value}


def _not_a_color(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” isn't a colour; expected # and six hexadecimal digits, for example #b3261e.") % {
        "value": value
    }


def _name_taken(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” is another team's name in this event.") % {"value": value}


def _of_another_event(value: str, params: Mapping[str, Param]) -> str:
    return _("The team belongs to another event.")


def _team_in_use(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” has entries; withdraw or move them instead of removing the team.") % {
        "value": value
    }


def _team_counted(value: str, params: Mapping[str, Param]) -> str:
    return _("“%(value)s” stands in the event’s overall table, so it can’t be removed any more.") % {
        "value": value
    }


def _time_not_ahead(value: str, params: Mapping[str, Param]) -> str:
    return _("The time has passed, or is more than %(hours)d hours ahead.") % params


def _too_many_announcements(value: str, params: Mapping[str, Param]) -> str:
    return _("%(limit)d announcements are up already; take one back first.") % params


_SENTENCES: Mapping[Code, Callable[[str, Mapping[str, Param]], str]] = {
    Code.FILE_EMPTY: _file_empty,
    Code.FILE_TOO_BIG: _file_too_big,
    Code.FILE_TOO_MANY_ROWS: _file_too_many_rows,
    Code.FILE_TOO_MANY_SHEETS: _file_too_many_sheets,
    Code.FILE_TOO_MANY_CELLS: _file_too_many_cells,
    Code.FILE_TOO_MANY_COLUMNS: _file_too_many_columns,
    Code.FILE_UTF16: _file_utf16,
    Code.FILE_SPREADSHEET: _file_of_kind,
    Code.FILE_OTHER_KIND: _file_of_kind,
    Code.FILE_BROKEN: _file_broken,
    Code.FILE_UNFOLDS: _file_unfolds,
    Code.SHEET_UNKNOWN: _sheet_unknown,
    Code.FILE_BINARY: _file_binary,
    Code.QUOTE_NOT_CLOSED: _quote_not_closed,
    Code.COLUMNS_MISSING: _columns_missing,
    Code.COLUMN_TWICE: _column_twice,
    Code.COLUMN_UNKNOWN: _column_unknown,
    Code.COLUMN_SHARED: _column_shared,
    Code.NAMES_TWICE: _names_twice,
    Code.EMPTY_LINE: _empty_line,
    Code.EXTRA_COLUMN: _extra_column,
    Code.MISSING: _missing,
    Code.TOO_LONG: _too_long,
    Code.ODD_CHARACTERS: _odd_characters,
    Code.STRANGE_LETTERS: _strange_letters,
    Code.NO_LETTERS: _no_letters,
    Code.DATE_UNREADABLE: _date_unreadable,
    Code.DATE_IMPOSSIBLE: _date_impossible,
    Code.DATE_SHORT_YEAR: _date_short_year,
    Code.BORN_AFTER_EVENT: _born_after_event,
    Code.TOO_YOUNG: _wrong_age,
    Code.TOO_OLD: _wrong_age,
    Code.TEAM_UNKNOWN: _team_unknown,
    Code.FAMILY_UNNAMED: _family_unnamed,
    Code.NOT_YES_OR_NO: _not_yes_or_no,
    Code.NOT_A_NUMBER: _not_a_number,
    Code.NUMBER_TAKEN: _number_taken,
    Code.STATUS_UNKNOWN: _status_unknown,
    Code.TWICE_IN_FILE: _twice_in_file,
    Code.ALREADY_ENTERED: _already_entered,
    Code.ENDS_BEFORE_START: _ends_before_start,
    Code.AGES_OUT_OF_ORDER: _ages_out_of_order,
    Code.OUT_OF_RANGE: _out_of_range,
    Code.NOT_A_CHOICE: _not_a_choice,
    Code.NOT_A_COLOR: _not_a_color,
    Code.NAME_TAKEN: _name_taken,
    Code.OF_ANOTHER_EVENT: _of_another_event,
    Code.TEAM_IN_USE: _team_in_use,
    Code.TEAM_COUNTED: _team_counted,
    Code.TIME_NOT_AHEAD: _time_not_ahead,
    Code.TOO_MANY_ANNOUNCEMENTS: _too_many_announcements,
}
