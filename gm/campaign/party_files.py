"""Which files of a turn's folder are one party's, and who gets them."""

from collections.abc import Iterable, Mapping

from gm.campaign.open import Campaign
from gm.store.disk import Files
from gm.store.press import LETTERS

# the files of one party in a turn's folder; {} stands for its code
PARTY_FILES = (
    "results/{}.html",
    "results/{}.yaml",
    "next/{}.yaml",
    "next/{}.schema.json",
    f"{LETTERS}/{{}}.yaml",
)


def without_common_pages(reports: Files, campaign: Campaign) -> Files:
    """Return reports without the pages that are not one party's; a page left out is never made."""
    party_pages = {f"results/{seat.code}.html" for seat in campaign.seats}
    return Files(
        {
            name: content
            for name, content in reports.data.items()
            if name in party_pages or not name.endswith(".html")
        }
    )


def bots_without_report(campaign: Campaign, turn: int) -> list[str]:
    """Return the codes of parties that bots play and that have no report of a turn in its folder."""
    record = campaign.record(turn) if turn <= campaign.newest_turn else {}
    result_names = record.get("results", ())
    return [
        seat.code for seat in campaign.seats if seat.bot and f"results/{seat.code}.yaml" not in result_names
    ]


def without_files_of(bots: Iterable[str], files: Mapping[str, bytes]) -> Files:
    """Return a turn's ``files``, by name, without those of ``bots``; a file left out is never made.

    ``bots``: the codes of parties that bots play.
    """
    left_out = {name.format(code) for code in bots for name in PARTY_FILES}
    # not by item: that would make each file
    contents = files.data if isinstance(files, Files) else files
    return Files({name: content for name, content in contents.items() if name not in left_out})
