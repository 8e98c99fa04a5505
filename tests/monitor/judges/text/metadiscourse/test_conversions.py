"""An amount in brackets that only says the one before it in another unit is left out; a wrong one is not."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.claims import claims_of
from monitor.judges.text.metadiscourse.conversions import without_conversions


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Preheat it to 400°F (200°C).", "Preheat it to 400°F."),
        (
            "Heat it to 165 degrees Fahrenheit (about 74 degrees Celsius) inside.",
            "Heat it to 165 degrees Fahrenheit inside.",
        ),
        ("It is 5 miles (8 km) long.", "It is 5 miles long."),
        ("It weighs 20-25 pounds (9–11 kg).", "It weighs 20-25 pounds."),
        ("A flat of 1,000 square feet (93 m²).", "A flat of 1,000 square feet."),
        ("Between 41°F (5°C) and 68°F (20°C).", "Between 41°F and 68°F."),
        ("It runs at 60 mph (97 km/h).", "It runs at 60 mph."),
        ("It is 1,200 m (3,900 ft) high.", "It is 1,200 m high."),
        ("It weighs 150 lb (70 kg).", "It weighs 150 lb."),
        ("It is 70 miles (112 km) long.", "It is 70 miles long."),
        ("Keep it at 40 °F (4 °C).", "Keep it at 40 °F."),
        ("Drink 1.5 km (about 1 mile) away.", "Drink 1.5 km away."),
        ("Use 1 oz (30 g).", "Use 1 oz."),
        ("烤箱预热至400华氏度（约204摄氏度）。", "烤箱预热至400华氏度。"),
        ("全程5英里（8公里）。", "全程5英里。"),
        ("全程5英里，相当于8公里。", "全程5英里。"),
        ("The screw is 20 mm (0.8 in) long.", "The screw is 20 mm long."),
        ('The pipe is 30 cm (12") long.', "The pipe is 30 cm long."),
        ("It holds 10 litres (approx. 2.6 US gallons).", "It holds 10 litres."),
        ("The route is 10 miles, or about 16 km, long.", "The route is 10 miles long."),
        ("The route is 10 miles long, or 16 km.", "The route is 10 miles long."),
    ],
)
def test_a_right_conversion_is_left_out(text: str, left: str) -> None:
    assert without_conversions(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Preheat it to 400°F (100°C).",
        *("Keep it at 40 °F (0 °C).", "Keep it at 40 °F (9 °C).", "A fever of 100.4 °F (42.9 °C).", "At 36 °F (7 °C)."),
        *("It is 1,200 m (3,720 ft) high.", "It is 1,200 m (4,170 ft) high.", "It weighs 150 lb (72 kg)."),
        *("It is 5 miles (5 km) long.", "It is 1 mile (1 km) long.", "It is 5 miles (8.4 km) long."),
        "It is 5 miles (12 km) long.",
        "It is 5 miles (8 kg) long.",
        "It weighs 20-25 pounds (9 kg).",
        "It costs 40 euros (44 dollars).",
        "The screw is 20 mm (2.5 in) long.",
        'The pipe is 30 cm (18") long.',
        "It holds 10 litres (approx. 4.6 US gallons).",
        "The route is 10 miles, or about 26 km, long.",
        "Take 10 miles or 16 kg.",
        "It takes 5 m (5 m).",
        "It is 5 miles (8 km away from the sea).",
        "全程5英里（12公里）。",
    ],
)
def test_a_wrong_conversion_and_another_amount_stay(text: str) -> None:
    assert without_conversions(text) == text


def test_the_amount_itself_has_to_be_held() -> None:
    (claim,) = claims_of("Preheat the oven to 400°F (200°C).")
    assert claim.tokens.numbers == {"400"}


@pytest.mark.parametrize(
    "answer", ["Heat the oven to 177 °C (350 °F).", "Heat the oven to 350 °F (177 °C).", "Heat the oven to 350 °F."]
)
def test_either_of_the_two_may_be_what_passages_say(answer: str) -> None:
    """Of a range each number stands for its own."""
    (range_,) = assess("It weighs 20-25 pounds (9-11 kg).", ["It weighs 9 kg."]).evidence
    assert range_.label == "unsupported"
    (right,) = assess(answer, ["Heat the oven to 350 °F."]).evidence
    (wrong,) = assess(answer, ["Heat the oven to 375 °F."]).evidence
    assert (right.label, wrong.label) == ("supported", "unsupported")
