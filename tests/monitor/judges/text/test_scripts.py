"""Rules of telling scripts apart."""

import pytest

from monitor.judges.text.scripts import scripts_of


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("Entry costs 12 euros.", {"latin"}),
        ("Café “Zürich”, 12 €", {"latin"}),
        ("Вход стоит 12 евро.", {"cyrillic"}),
        ("Вход в Museum Folkwang стоит 12 евро по вторникам.", {"cyrillic"}),
        ("Вход стоит 12 евро. Entry costs 12 euros.", {"cyrillic", "latin"}),
        ("门票价格是十二欧元。", {"characters"}),
        ("入場料は12ユーロです。", {"characters"}),
        ("الدخول يكلف ١٢ يورو", {"arabic"}),
        ("Η είσοδος κοστίζει 12 ευρώ.", {"greek"}),
        ("प्रवेश शुल्क", {"indic"}),
        ("是", {"characters"}),
        ("12 % – 15 €", set()),
        ("12", set()),
        ("", set()),
    ],
)
def test_the_scripts_of_a_text_are_those_that_a_good_part_of_its_words_is_in(text: str, scripts: set[str]) -> None:
    assert scripts_of(text) == scripts
