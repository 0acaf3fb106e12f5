"""Rules that follow from several fields together: which can come up at all."""

from games.engine.ruleset import Ruleset


def has_answers(rules: Ruleset) -> bool:
    """Whether any draw card can be answered with another."""
    return rules.draw_two_stacks or rules.draw_two_on_wild_four or has_answering_fours(rules)


def has_answering_fours(rules: Ruleset) -> bool:
    """Whether a Wild Draw Four can be an answer."""
    return rules.wild_four_on_draw_two or rules.wild_four_on_wild_four


def forbids_fours_on_twos(rules: Ruleset) -> bool:
    """Under `no_playable_card`: whether a Draw Two in the hand forbids a Wild Draw Four on a Draw Two."""
    return rules.wild_four_on_draw_two and rules.draw_two_stacks


def forbids_fours_on_fours(rules: Ruleset) -> bool:
    """Under `no_playable_card`: whether a Draw Two in the hand forbids a Wild Draw Four on another."""
    return rules.wild_four_on_wild_four and rules.draw_two_on_wild_four


def may_draw_after_taking_back(rules: Ruleset) -> bool:
    """Whether who takes a Wild Draw Four back may hold nothing that fits: it was judged by other cards."""
    if not rules.challenge or rules.challenge_upheld != "taken_back" or rules.stacked_wild_four_free:
        return False
    if rules.wild_four_condition == "no_playable_card":
        return forbids_fours_on_fours(rules)
    return rules.wild_four_on_wild_four and rules.stacked_wild_four_color == "before_first"


def draws_at_the_end(rules: Ruleset) -> bool:
    """Whether somebody can go out with a draw card that is still drawn for."""
    return rules.finish_on_action and rules.final_draw


def plays_to_a_target(rules: Ruleset) -> bool:
    """Whether a game goes on until somebody has so many points."""
    return rules.counts_points and rules.after_out != "game_ends"


def has_two(rules: Ruleset) -> bool:
    """Whether two players can face each other: a table of two, or the last two of an elimination."""
    return rules.min_players == 2 or rules.scoring == "elimination"


def has_reverses(rules: Ruleset) -> bool:
    """Whether a Reverse is ever in the pack."""
    return rules.reverse_with_two != "removed" or rules.max_players > 2


def has_skip_twins(rules: Ruleset) -> bool:
    """Whether Skip and Reverse go on each other when two play."""
    return has_two(rules) and rules.reverse_matches_skip and rules.reverse_with_two != "removed"
