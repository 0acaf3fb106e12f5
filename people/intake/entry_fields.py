"""Fields of an entry; also the names of columns in the English dialect."""

from enum import StrEnum


class EntryField(StrEnum):
    """What is known of a person who is entered."""

    LAST_NAME = "last_name"
    FIRST_NAME = "first_name"
    # Both in one column; it is split.
    FULL_NAME = "full_name"
    BIRTH_DATE = "birth_date"
    TEAM = "team"
    FAMILY = "family"
    SCHOOL_CLASS = "school_class"
    # Lists often have it in a column of its own: `3` and `B` are the class `3 B`.
    SECTION = "section"
    STRONG = "is_strong"
    # What lists that were exported here have besides.
    CONSENT = "shows_name"
    NUMBER = "number"
    STATUS = "status"
    NOTE = "note"
