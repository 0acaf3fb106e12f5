"""The language of what the engine's verbs print."""

import pytest
from django.conf import settings

from games.engine.command.language import language_of_terminal
from games.engine.translations import languages


def test_verbs_know_the_languages_of_the_service() -> None:
    assert sorted(languages()) == sorted(tag for tag, _ in settings.LANGUAGES)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("it", "it"),
        ("it_CH.UTF-8", "it"),
        ("it@euro", "it"),
        ("en_GB.UTF-8", "en"),
        ("eo.UTF-8", "en"),
    ],
)
def test_terminal_s_language_is_english_where_there_are_no_texts_in_it(
    locale: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    assert language_of_terminal() == language
