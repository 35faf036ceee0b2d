#!/usr/bin/env python3
"""Plays poker hands with PokerKit and holds what it pays against what `catwalk settle` awards.

    pip install pokerkit
    tests/poker_room.py [--catwalk target/release/catwalk] [--hands 1000] [--seed 1]

PokerKit deals, bets at random, goes all-in at random and pays; its operations are written as the round
document of the rules. Every seat must end with the same chips on either side, rake included, and no action
that PokerKit allows may be a violation. Amounts divide by any number of players, since the two sides give odd
chips to different players. What PokerKit does in its own way is left out: two players sit only at the stud forms
(it gives the button the small blind), hands that end without a showdown are not raked (it rakes no blind that
nobody called), and where the low may split a pot nobody is all-in (it divides a side pot in two although none
of those in it has a low).
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter

import pokerkit as pk

# In whole dollars by any number of players, so that a tie leaves no odd chip.
UNIT = 2_520_000
AUTOMATIONS = tuple(
    automation
    for automation in pk.Automation
    if automation is not pk.Automation.RUNOUT_COUNT_SELECTION
)
# A raise is at least the last one.
BIG_BET = {"min_raise": "previous_increment"}


def rake_of_a_tenth(amount, _state):
    return amount // 10, amount - amount // 10


class Form:
    """A form of poker, as both sides call it."""

    def __init__(self, name, game, most, rounds, structure="limit", stud=False, draws=False):
        self.name, self.game, self.most, self.rounds = name, game, most, rounds
        self.structure, self.stud, self.draws = structure, stud, draws

    def options(self):
        if self.structure == "limit":
            small = self.rounds // 2
            limits = [[2 * UNIT] * 2] * small + [[4 * UNIT] * 2] * (self.rounds - small)
            options = {"bet_limits": limits}
        else:
            options = {"betting": self.structure, "bet_limits": [[2 * UNIT, None]] * self.rounds}
            options |= BIG_BET
        if self.stud:
            return options | {"ante": UNIT, "forced_bet": UNIT}
        return options | {"blinds": [UNIT, 2 * UNIT]}

    def state(self, stacks, rake):
        count = len(stacks)
        ante, blinds = (UNIT, UNIT) if self.stud else (0, (UNIT, 2 * UNIT))
        bets = (2 * UNIT, 4 * UNIT) if self.structure == "limit" else (2 * UNIT,)
        keys = {"rake": rake_of_a_tenth} if rake else {}
        return self.game.create_state(
            AUTOMATIONS, True, ante, blinds, *bets, tuple(stacks), count, **keys
        )


FORMS = [
    Form("holdem_high", pk.FixedLimitTexasHoldem, 9, 4),
    Form("holdem_high", pk.NoLimitTexasHoldem, 9, 4, "no_limit"),
    Form("omaha_high", pk.PotLimitOmahaHoldem, 9, 4, "pot_limit"),
    Form("omaha_high_low_8", pk.FixedLimitOmahaHoldemHighLowSplitEightOrBetter, 9, 4),
    Form("seven_card_stud_high", pk.FixedLimitSevenCardStud, 6, 5, stud=True),
    Form(
        "seven_card_stud_high_low_8",
        pk.FixedLimitSevenCardStudHighLowSplitEightOrBetter,
        6,
        5,
        stud=True,
    ),
    Form("triple_draw_2_7", pk.FixedLimitDeuceToSevenLowballTripleDraw, 4, 4, draws=True),
    Form("badugi", pk.FixedLimitBadugi, 5, 4, draws=True),
]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--catwalk", default="target/release/catwalk")
    arguments.add_argument("--hands", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()

    random.seed(given.seed)
    hands = [play(random.choice(FORMS)) for _ in range(given.hands)]
    documents = "".join(json.dumps(document) + "\n" for document, _ in hands)
    settle = [given.catwalk, "settle"]
    settled = subprocess.run(settle, input=documents, capture_output=True, text=True)
    lines = settled.stdout.splitlines()
    if len(lines) != len(hands):
        print(f"{len(lines)} settlements of {len(hands)} hands: {settled.stderr}", file=sys.stderr)
        return 1
    same, differ = Counter(), 0
    for (document, chips), line in zip(hands, lines):
        settlement = json.loads(line)
        problem = difference(document, chips, settlement)
        if problem is None:
            same[document["play"]["form"], document["options"].get("betting", "limit")] += 1
        else:
            differ += 1
            print(f"{problem}\n  {json.dumps(document)}\n  {line}")
    for (form, betting), count in sorted(same.items()):
        print(f"{form:27} {betting:10} {count:6} hands the same")
    print(f"{differ} of {len(hands)} differ (--seed {given.seed})")
    return 1 if differ else 0


def difference(document, chips, settlement):
    """What the two sides do not agree on, if anything."""
    if "error" in settlement:
        return settlement["error"]
    if settlement["violations"]:
        return f"PokerKit allows what is flagged: {settlement['violations']}"
    left = {seat["seat"]: seat["stack"] for seat in document["play"]["seats"]}
    for wager in document["wagers"]:
        left[wager["seat"]] -= wager["amount"]
    for entry in settlement["awards"] + settlement["refunds"]:
        left[entry["seat"]] += entry["amount"]
    if left != chips:
        return f"PokerKit leaves {chips}, catwalk {left}"
    return None


def play(form):
    """A hand at random: its document, and the chips that PokerKit leaves each seat."""
    least = 2 if form.stud else 3
    count = random.randint(least, form.most)
    most = random.choice([15, 60])
    least = 500 if "low" in form.name else 5
    stacks = [UNIT * random.randint(least, max(least, most)) for _ in range(count)]
    rake = random.random() < 0.5
    state = form.state(stacks, rake)
    while state.status:
        act(form, state)
    folds = sum(isinstance(operation, pk.Folding) for operation in state.operations)
    if rake and folds == count - 1:
        return play(form)
    return write(form, state, stacks, rake), dict(enumerate(state.stacks, start=1))


def act(form, state):
    if state.can_stand_pat_or_discard():
        held = list(state.get_down_cards(state.stand_patter_or_discarder_index))
        thrown = random.sample(held, random.choice([0, 1, 1, 2]))
        state.stand_pat_or_discard(thrown)
        return
    if state.can_post_bring_in():
        state.post_bring_in()
        return
    choice = random.random()
    if choice < 0.15 and state.can_fold():
        state.fold()
    elif choice < 0.4 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        if form.structure == "limit":
            most = least
        some = least + random.randint(0, (most - least) // UNIT) * UNIT
        state.complete_bet_or_raise_to(random.choice([least, least, some, most]))
    else:
        state.check_or_call()


def name(card):
    return repr(card).upper()


def write(form, state, stacks, rake):
    """The operations of a hand as the round document of the rules. Seats are players from 1."""
    wagers, rounds, draws = [], [[]], []
    hands = {str(seat): {"down": [], "up": []} for seat in range(1, len(stacks) + 1)}
    board, bets = [], Counter()

    def put_in(seat, kind, amount):
        wagers.append({"id": f"w{len(wagers) + 1}", "seat": seat, "kind": kind, "amount": amount})
        return {"seat": seat, "act": "wager", "id": wagers[-1]["id"]}

    for operation in state.operations:
        seat = getattr(operation, "player_index", -1) + 1
        match operation:
            case pk.AntePosting(amount=amount):
                put_in(seat, "ante", amount)
            case pk.BlindOrStraddlePosting(amount=amount):
                put_in(seat, "blind", amount)
                bets[seat] += amount
            case pk.BringInPosting(amount=amount):
                rounds[-1].append(put_in(seat, "forced_bet", amount))
                bets[seat] += amount
            case pk.Folding():
                rounds[-1].append({"seat": seat, "act": "fold"})
            case pk.CheckingOrCalling(amount=0):
                rounds[-1].append({"seat": seat, "act": "check"})
            case pk.CheckingOrCalling(amount=amount):
                rounds[-1].append(put_in(seat, "call", amount))
                bets[seat] += amount
            case pk.CompletionBettingOrRaisingTo(amount=amount):
                kind = "raise" if max(bets.values(), default=0) else "bet"
                rounds[-1].append(put_in(seat, kind, amount - bets[seat]))
                bets[seat] = amount
            case pk.HoleDealing(cards=cards, statuses=statuses):
                for card, is_up in zip(cards, statuses):
                    if draws:
                        of_seat = next(entry for entry in draws[-1] if entry["seat"] == seat)
                        of_seat["draw"].append(name(card))
                    else:
                        hands[str(seat)]["up" if is_up else "down"].append(name(card))
            case pk.BoardDealing(cards=cards):
                board.extend(name(card) for card in cards)
            case pk.StandingPatOrDiscarding(cards=cards):
                had_their_turn = [entry["seat"] for entry in draws[-1]] if draws else []
                if not draws or rounds[-1] or seat in had_their_turn:
                    draws.append([])
                    rounds.append([])
                    bets.clear()
                thrown = [name(card) for card in cards]
                draws[-1].append({"seat": seat, "discard": thrown, "draw": []})
            case pk.CardBurning() if not form.draws:
                # Before every street but the first.
                rounds.append([])
                bets.clear()
    seats = [{"seat": seat, "stack": stack} for seat, stack in enumerate(stacks, start=1)]
    table = {"form": form.name, "seats": seats, "rounds": rounds[: form.rounds]}
    if form.stud:
        table["hands"] = hands
    else:
        table["button"] = len(stacks)
        table["hands"] = {seat: hand["down"] for seat, hand in hands.items()}
    if board:
        table["board"] = board
    if form.draws:
        table["draws"] = draws
    options = form.options()
    if rake:
        options["rake"] = [{"method": "percent", "rate_bp": 1000, "unit": 1}]
    edition = "mgc-amended" if form.draws else "mgc-2017"
    return {
        "game": "poker",
        "edition": edition,
        "options": options,
        "wagers": wagers,
        "play": table,
    }


if __name__ == "__main__":
    sys.exit(main())
