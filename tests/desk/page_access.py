"""Every page of the service but the API's: who may open it. What is expected, written down by hand.

A group says what each role is answered: `IN` (not refused), `DOOR` (sent to sign in), `NO` (403), `NONE`
(404, as for what isn't there). A page that is in no group, or in two, fails the build.
"""

IN, DOOR, NO, NONE = "in", "door", "no", "none"

ROLES = (
    "public",
    # The header of a program's token means nothing to pages.
    "token",
    "stranger",
    "operator",
    "waiting phone",
    "foreign phone",
    "revoked phone",
    "phone of the past",
    "phone",
    "organizer",
)
NOBODY = ("public", "token", "revoked phone", "phone of the past")
PHONES = ("waiting phone", "foreign phone", "phone")


def by_role(**answers: str) -> dict[str, str]:
    """Answers by role: of the `public` and whoever is no more than that, of other `accounts` and `phones`;
    `phone` and `organizer` are those of the event.
    """
    nobody, accounts, phones = answers["public"], answers["accounts"], answers["phones"]
    return {
        **dict.fromkeys(NOBODY, nobody),
        "stranger": accounts,
        "operator": accounts,
        "waiting phone": phones,
        "foreign phone": phones,
        "phone": answers["phone"],
        "organizer": answers["organizer"],
    }


EVERYBODY = by_role(public=IN, accounts=IN, phones=IN, phone=IN, organizer=IN)
ACCOUNTS = by_role(public=DOOR, accounts=IN, phones=NO, phone=NO, organizer=IN)
DESK = by_role(public=DOOR, accounts=NO, phones=NO, phone=NO, organizer=IN)
TABLE = by_role(public=NO, accounts=NO, phones=NO, phone=IN, organizer=IN)
OPERATORS_DOOR = by_role(public=DOOR, accounts=NO, phones=DOOR, phone=DOOR, organizer=NO) | {"operator": IN}
HIDDEN = by_role(public=NONE, accounts=NONE, phones=NONE, phone=IN, organizer=IN)
"""What pages of an event that everybody reads are before it is published."""

NAMES = {
    "everybody": """
        alive ready tasks slip:door slip:slip
        live:event live:outcomes live:tournament live:match live:table
        desk:sign-in desk:sign-in-code desk:sign-out
        publishing:home publishing:robots publishing:mark publishing:guide publishing:presets
        publishing:preset publishing:preset-paper
        referee:door referee:phone referee:phone-leave referee:offline referee:manifest referee:worker
        referee:engine referee:engine-modules referee:practice referee:practice-anew referee:practice-stop
        referee:table referee:pair referee:pin referee:leave
    """,
    "accounts": """
        desk:home desk:keys desk:tokens desk:token-revoke desk:event-new desk:archive-in
        desk:account desk:account-password desk:second-factor desk:second-factor-off desk:recovery-codes
        desk:sign-out-everywhere
    """,
    "operators' door": "operators-door",
    "table": """
        referee:kit referee:other-day referee:match referee:game referee:end referee:bell referee:confirm
        referee:places referee:count referee:cards referee:enter referee:log referee:instead referee:wrong
        referee:take-back referee:put-right referee:confirm-result referee:dispute
    """,
    "public pages of an event": """
        publishing:event publishing:team publishing:palio publishing:palio-day publishing:palio-projector
        publishing:palio-screen publishing:palio-paper publishing:receipt publishing:receipts
        publishing:timetable
        publishing:tables-paper publishing:teams-paper publishing:timetable-feed publishing:team-timetable
        publishing:team-feed publishing:table-timetable publishing:table-feed publishing:standings
        publishing:standings-paper publishing:draw-paper publishing:bracket publishing:day
        publishing:outlook publishing:what-if publishing:projector publishing:screen publishing:rules
        publishing:rules-paper publishing:matches publishing:round publishing:match publishing:game
    """,
    "desk": """
        desk:event desk:event-edit desk:event-publish desk:teams desk:team desk:team-remove desk:entries
        desk:entry desk:entry-status desk:entry-check-in desk:entry-out desk:entry-back desk:entry-erase
        desk:people desk:people-purge desk:check-in desk:slips desk:slips-paper desk:import
        desk:referees desk:pin desk:pairing-admit desk:pairing-revoke desk:pairing-replace
        desk:pairings-turn-away desk:tables desk:tables-paper desk:table-renew desk:board
        desk:announcements desk:announcement-take-back
        desk:rehearsal desk:rehearsal-end desk:calls desk:call desk:audit desk:audit-file
        desk:webhooks desk:webhook desk:webhook-pause desk:webhook-resume desk:webhook-test
        desk:webhook-replay desk:webhook-remove
        desk:rules-preview desk:export desk:export-file desk:archive desk:printing desk:certificates
        desk:score-sheets desk:palio desk:palio-set-up desk:palio-joker desk:palio-joker-withdraw
        desk:palio-lots desk:palio-placements desk:tournament-new desk:match desk:match-place
        desk:timetable desk:timetable-settings desk:timetable-delay desk:timetable-undo
        desk:timetable-clear desk:timetable-work desk:timetable-work-start desk:timetable-work-stop
        desk:timetable-work-keep desk:timetable-work-change desk:result desk:result-confirm
        desk:result-keep desk:log desk:correct desk:tournament desk:tournament-settings desk:draw
        desk:draw-make desk:draw-edit desk:draw-publish desk:rounds desk:round-draw desk:round-redraw
        desk:round-places desk:stage-end desk:plan-anew
        desk:next-stage desk:stage-start desk:stage-lots desk:stage-order desk:squads desk:squad-add
        desk:squad-gone desk:squad-back desk:squad-bye desk:team-gone desk:team-back desk:paper-now
        desk:paper desk:confirm desk:clock desk:standings desk:date desk:lots desk:play-off desk:adjust
        desk:close desk:reopen desk:verify
    """,
}
"""Names of addresses by group; what the practice table has below its own address has none."""

ANSWERS = {
    "everybody": EVERYBODY,
    "accounts": ACCOUNTS,
    "operators' door": OPERATORS_DOOR,
    "table": TABLE,
    "public pages of an event": EVERYBODY,
    "desk": DESK,
}


def group_of() -> dict[str, str]:
    """The group of each name; AssertionError for a name that is in two."""
    found: dict[str, str] = {}
    for group, names in NAMES.items():
        for name in names.split():
            assert name not in found, f"{name} is in two groups"
            found[name] = group
    return found
