"""The list of modules in the documentation."""

from tests.docs import module_list


def test_module_list_has_every_module_with_its_first_line() -> None:
    assert module_list.PAGE.read_text() == module_list.page(), "run python -m tests.docs.module_list"


def test_every_module_has_a_first_line() -> None:
    assert [str(path) for path in module_list.modules() if not module_list.first_line(path)] == []
