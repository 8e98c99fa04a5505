"""Rules of the words that exclude each other."""

from monitor.judges.grounding.opposites import SIDES, words_of_opposites
from monitor.judges.text.words import WORDS


def test_a_word_excludes_the_other_side_of_its_lines_and_what_is_beside_it_says_the_same() -> None:
    (grew,) = SIDES[WORDS["grew"]]
    assert {WORDS["rose"], WORDS["increases"]} <= grew.same
    assert {WORDS["fell"], WORDS["declining"]} <= grew.rivals
    assert (grew.relation, SIDES[WORDS["buyer"]][0].relation) == (False, True)
    assert SIDES["museum"] == ()


def test_no_word_excludes_itself_and_exclusion_is_mutual() -> None:
    for word in words_of_opposites(["grew", "open", "before", "child", "下降", "最高"]):
        for sides in SIDES[word]:
            assert word in sides.same
            assert sides.same.isdisjoint(sides.rivals)
            assert all(word in back.rivals for rival in sides.rivals for back in SIDES[rival])


def test_one_character_of_a_pair_excludes_another_one_in_its_place() -> None:
    (before,) = SIDES["饭前"]
    assert before.same == {"饭前"}
    assert before.rivals == {"饭后"}
    assert [sides.rivals for sides in SIDES["东门"]] == [{"西门", "南门", "北门"}]
