"""The report of an analysed game as one HTML page that needs nothing else."""

from html import escape

from spiel_bot.analysis.game import GameAnalysis
from spiel_bot.analysis.report import (
    THRESHOLDS,
    board_of,
    decision_rows,
    judgement_text,
    play_rows,
    player_names,
    result_text,
    rolls_by_ply,
    summary_rows,
    title_of,
)

STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #2b2118; background: #fdfaf4; max-width: 54rem;
       margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.95em; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; border-bottom: 1px solid #e3d9c8; }
tr.fine td { color: #6b5d00; } tr.error td { color: #b04a00; }
tr.blunder td { color: #b00020; font-weight: 600; }
svg { max-width: 100%; height: auto; margin: 0.5rem 0; }
"""


def as_html(analysis: GameAnalysis) -> str:
    """Return a report as an HTML page."""
    white, black = (escape(name) for name in player_names(analysis))
    rolls = rolls_by_ply(analysis)
    title = f"{white} against {black}"
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{escape(analysis.played.name)}, {result_text(analysis)}. "
        f"{escape(judgement_text(analysis))}</p>",
        _table(summary_rows(analysis)),
        f"<p>{THRESHOLDS.replace('*', '')}</p>",
    ]
    parts.append("<h2>The worst plays</h2>" if analysis.worst else "<p>No play lost much.</p>")
    for one in analysis.worst:
        parts.append(f"<h3>{escape(title_of(one, rolls.get(one.ply, '')))}</h3>")
        parts.append(board_of(one)._repr_svg_())
        parts.append(_table(play_rows(one)))
    parts.append("<h2>Every decision</h2>")
    parts.append(_table(decision_rows(analysis, rolls), mark_column=4))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _table(rows: list[list[str]], mark_column: int | None = None) -> str:
    """Return rows as a table; a column may name the class of its row."""
    heading = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = []
    for row in rows[1:]:
        kind = "" if mark_column is None else f' class="{escape(row[mark_column])}"'
        body.append(f"<tr{kind}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return f"<table><tr>{heading}</tr>{''.join(body)}</table>"
