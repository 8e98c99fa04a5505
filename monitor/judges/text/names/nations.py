"""Countries and what belongs to them, as one word: `Kenyan` and `Kenya`, `U.K.`, `United Kingdom` and `British`."""

from __future__ import annotations

import re

_PAIRS = """
    afghan afghanistan, african africa, albanian albania, algerian algeria, american america, angolan angola,
    argentine argentina, argentinian argentina, armenian armenia, asian asia, aussie australia, australian australia,
    austrian austria, bahraini bahrain, bangladeshi bangladesh, bavarian bavaria, belarusian belarus, belgian belgium,
    bolivian bolivia, bosnian bosnia, brazilian brazil, british britain, briton britain, uk britain, bulgarian bulgaria,
    californian california, cambodian cambodia, cameroonian cameroon, canadian canada, catalan catalonia, chilean chile,
    chinese china, colombian colombia, congolese congo, croatian croatia, cuban cuba, cypriot cyprus, czech czechia,
    danish denmark, dutch netherlands, holland netherlands, ecuadorian ecuador, egyptian egypt, english england,
    eritrean eritrea, estonian estonia, ethiopian ethiopia, european europe, filipino philippines, finnish finland,
    flemish flanders, french france, georgian georgia, german germany, ghanaian ghana, greek greece,
    guatemalan guatemala, haitian haiti, hawaiian hawaii, honduran honduras, hungarian hungary, icelandic iceland,
    indian india, indonesian indonesia, iranian iran, iraqi iraq, irish ireland, israeli israel, italian italy,
    jamaican jamaica, japanese japan, jordanian jordan, kazakh kazakhstan, kenyan kenya, korean korea, kuwaiti kuwait,
    laotian laos, latvian latvia, lebanese lebanon, liberian liberia, libyan libya, lithuanian lithuania,
    malaysian malaysia, maltese malta, mexican mexico, moldovan moldova, mongolian mongolia, moroccan morocco,
    nepalese nepal, nepali nepal, nicaraguan nicaragua, nigerian nigeria, norwegian norway, pakistani pakistan,
    palestinian palestine, panamanian panama, paraguayan paraguay, persian persia, peruvian peru, polish poland,
    portuguese portugal, prussian prussia, qatari qatar, romanian romania, russian russia, rwandan rwanda,
    scottish scotland, senegalese senegal, serbian serbia, sicilian sicily, singaporean singapore, slovak slovakia,
    slovenian slovenia, somali somalia, spaniard spain, spanish spain, sudanese sudan, swedish sweden,
    swiss switzerland, syrian syria, taiwanese taiwan, tanzanian tanzania, texan texas, thai thailand, tibetan tibet,
    tunisian tunisia, turkish turkey, ugandan uganda, ukrainian ukraine, uruguayan uruguay, venezuelan venezuela,
    vietnamese vietnam, welsh wales, yemeni yemen, zambian zambia, zimbabwean zimbabwe"""
COUNTRIES: dict[str, str] = dict(map(str.split, _PAIRS.split(",")))
"""Words in small letters, each with the country that it means."""
UNITED_STATES = frozenset(("US", "USA"))
"""In capitals, as `us` is another word."""
_ALSO = {
    " USA United States": re.compile(r"\b(?:USA?\b|U\.S\b|United\s+States\b)"),
    " UK United Kingdom": re.compile(r"\b(?:UK\b|U\.K\b|United\s+Kingdom\b|Britain\b)"),
    " EU European Union": re.compile(r"\b(?:EU\b|E\.U\b|European\s+Union\b)"),
    " UN United Nations": re.compile(r"\b(?:UN\b|U\.N\b|United\s+Nations\b)"),
}
_MARKS = ("US", "U.S", "UK", "U.K", "EU", "E.U", "UN", "U.N", "United", "European", "Britain")


def may_be_shortened(text: str) -> bool:
    """Whether `with_other_names` may add something."""
    return any(mark in text for mark in _MARKS)


def with_other_names(text: str) -> str:
    """`text` with the short and the long names of what it names by one of them at its end, so that it holds both."""
    return text + "".join(names for names, pattern in _ALSO.items() if pattern.search(text))
