"""Rules of what costs nothing."""

import pytest

from monitor.judges.grounding.assessment import assess

CLOAKROOM = (
    "Larger items must be handed in 45 minutes before departure. Restoring is free of charge. "
    "Hand luggage weighs up to 20 kg."
)
SAME = [
    (
        CLOAKROOM,
        "There is no charge for restoring.",
    ),
    ("The first £250 is interest-free.", "There is no interest on the first £250."),
    ("A smart meter is installed free of charge.", "You won't be charged for the smart meter."),
    ("停车免费。", "停车不收费。"),
    ("停车不收费。", "停车免费。"),
    ("There is no charge for parking.", "Parking is free."),
    ("Parking is free.", "There is no charge for parking."),
    ("Parking is free.", "You don't have to pay for parking."),
    ("Parking is free for guests.", "Guests do not pay for parking."),
    ("开户免费。", "开户无需付费。"),
    ("开户免收手续费。", "开户不收取手续费。"),
    ("开户不收取手续费。", "开户免手续费。"),
    ("Replacement is free.", "Replacement comes at no cost."),
    ("Replacement comes at no extra cost.", "Replacement is free."),
    ("Returns are free.", "Returns come at no extra cost."),
    ("There is no annual fee.", "The card has no annual fee."),
    ("The card is free of annual fees.", "The card has no annual fee."),
    ("Returns are complimentary.", "Returns are free of charge."),
    ("Delivery is free for orders over 50 euros.", "There is no delivery charge for orders over 50 euros."),
    ("No commission is charged on purchases.", "Purchases are commission-free."),
    ("Purchases are commission-free.", "No commission is charged on purchases."),
    ("Breakfast is free for guests.", "Guests don't pay for breakfast."),
    ("The fee is waived for students.", "Students pay no fee."),
    ("Children under 6 travel free.", "Children under 6 don't need to pay."),
    ("退货免运费。", "退货不收运费。"),
    ("退货免运费。", "退货无需支付运费。"),
    ("退货不收取运费。", "退货包邮。"),
    ("前三个月免息。", "前三个月不计利息。"),
    ("前三个月免息。", "前三个月无需支付利息。"),
    ("六岁以下儿童免票。", "六岁以下儿童无需购票。"),
    ("本服务免费提供。", "本服务不收取任何费用。"),
    ("注册账号免费。", "注册账号不用花钱。"),
    ("办理业务不收费。", "办理业务免费。"),
]
OTHER = [
    ("There is a charge of 5 euros for restoring.", "There is no charge for restoring."),
    ("Restoring costs 5 euros.", "There is no charge for restoring."),
    ("Postage costs 5 euros and returns are free.", "There is no charge for postage."),
    ("The trial is free for 14 days, then a fee of 5 euros is charged.", "No fee is charged."),
    ("停车收费5元。", "停车不收费。"),
    ("停车收费。", "停车免费。"),
    ("Guests pay 5 euros for parking.", "Guests do not pay for parking."),
    ("Interest is 5 % on the first £250.", "There is no interest on the first £250."),
    ("Returns cost 5 euros.", "Returns come at no extra cost."),
    ("There is an annual fee of 40 euros.", "The card has no annual fee."),
    ("Returns are free.", "Returns are not free."),
    ("Returns are not free.", "There is no charge for returns."),
    ("Returns are free.", "A fee is charged for returns."),
    ("Parking is free, breakfast costs 12 euros.", "There is no charge for breakfast."),
    ("Feel free to ask about the charge for parking.", "There is no charge for parking."),
    ("Parking of 5 euros includes free breakfast.", "There is no charge for parking."),
    ("There is no charge for parking. Breakfast costs 5 euros.", "There is no charge for breakfast."),
    ("No interest is charged on the first £250.", "Interest is charged on the first £250."),
    ("Sugar-free drinks cost 3 euros.", "There is no charge for drinks."),
    ("退货需付运费。", "退货不收运费。"),
    ("停车收费5元，早餐免费。", "停车不收费。"),
    ("停车收费。早餐免费。", "停车不收费。"),
    ("停车免费。早餐六点开始。", "早餐六点不开始。"),
    ("本服务按次收费。", "本服务不收取任何费用。"),
]


@pytest.mark.parametrize(("passage", "claim"), SAME)
def test_what_is_free_costs_nothing_in_any_words(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label == "supported", piece.note


@pytest.mark.parametrize(("passage", "claim"), OTHER)
def test_what_costs_something_or_is_free_beside_it_is_not(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label != "supported"
