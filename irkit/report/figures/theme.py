"""The style of figures: colours that colour-blind readers can distinguish, for light and dark pages; plain fonts."""

from typing import Any, Final, NamedTuple

# Liberation Sans is part of vl-convert and has the widths of Arial, so measured texts fit with Arial too.
FONT: Final = "'Liberation Sans', Arimo, Arial, Helvetica, sans-serif"
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES: Final = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4], [1, 3], [10, 3])


class Palette(NamedTuple):
    """Colours of a theme.

    Attributes
    ----------
    page : str
        Background of pictures; a specification is transparent.
    ink, quiet, grid : str
        Colours of text and marks, of explanations, and of grid lines.
    runs : tuple of 7 str
        Colours of runs; more cannot be distinguished.
    diverging : tuple of 3 str
        Colours below 0, at 0, above 0. Text in `ink` is readable on each.
    rising : tuple of 2 str
        Colours from low to high; text in `ink` is readable on them.
    """

    page: str
    ink: str
    quiet: str
    grid: str
    runs: tuple[str, ...]
    diverging: tuple[str, ...]
    rising: tuple[str, ...]


# Run colours of the light theme: Okabe and Ito 2008, without yellow, which is hardly visible on paper; those of
# the dark theme are lighter versions.
LIGHT: Final = Palette(
    "#ffffff",
    "#1f2328",
    "#59636e",
    "#e4e7eb",
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d"),
    ("#f0a06a", "#f6f7f8", "#7db8e0"),
    ("#f3f7fa", "#7db8e0"),
)
DARK: Final = Palette(
    "#16181d",
    "#e6e8eb",
    "#a3abb5",
    "#31363e",
    ("#58b2f0", "#f28b4b", "#2fc79c", "#e7a0c9", "#f3b938", "#a5d8f7", "#c4c8cc"),
    ("#9a4d1a", "#23272e", "#1f6aa0"),
    ("#20252c", "#1f6aa0"),
)


def palette(dark: bool = False) -> Palette:
    """Return the colours of the light or dark theme."""
    return DARK if dark else LIGHT


def theme(dark: bool = False) -> dict[str, Any]:
    """Return the configuration (`config`) of a Vega-Lite specification in irkit's style, with a transparent background.

    Everything that depends on the theme is in it, so a page can change the theme of a specification by replacing it.

    Parameters
    ----------
    dark : bool
        Return the theme for a dark page.
    """
    colours = palette(dark)
    ink, quiet = {"color": colours.ink}, {"color": colours.quiet}
    axis = {
        "labelColor": colours.ink,
        "titleColor": colours.ink,
        "labelFontSize": 10,
        "titleFontSize": 10.5,
        "titleFontWeight": "normal",
        "domainColor": colours.quiet,
        "tickColor": colours.quiet,
        "gridColor": colours.grid,
        "tickSize": 4,
        "labelPadding": 3,
        "titlePadding": 6,
        "labelLimit": 0,  # no limit, because `labels` shortens names in the middle
        "titleLimit": 0,
    }
    return {
        "background": "transparent",
        "font": FONT,
        "padding": 4,
        "view": {"stroke": "transparent"},
        "axis": axis,
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": colours.ink,
            "subtitleColor": colours.quiet,
            "fontSize": 11.5,
            "fontWeight": "bold",
            "subtitleFontSize": 9.5,
            "lineHeight": 14,
            "subtitleLineHeight": 12,
            "subtitlePadding": 3,
            "offset": 8,
            "limit": 0,
        },
        "legend": {
            "labelColor": colours.ink,
            "titleColor": colours.ink,
            "labelFontSize": 10,
            "titleFontSize": 10,
            "titleFontWeight": "normal",
            "labelLimit": 0,
            "titleLimit": 0,
            "symbolStrokeWidth": 2,
            "symbolSize": 45,
            "columnPadding": 12,
            "rowPadding": 2,
            "offset": 8,
        },
        "range": {
            "category": list(colours.runs),
            "symbol": list(SHAPES),
            "diverging": list(colours.diverging),
            "heatmap": list(colours.rising),
            "ramp": list(colours.rising),
        },
        "point": {"color": colours.runs[0], "filled": True, "size": 45, "opacity": 1},
        "line": {"strokeWidth": 2},
        "bar": {"color": colours.runs[0]},
        "rule": quiet,
        "text": {"color": colours.ink, "fontSize": 9.5},
        "style": {
            "interval": {"color": colours.runs[0], "strokeWidth": 2, "opacity": 0.55},
            "quiet": quiet | {"strokeWidth": 1, "strokeDash": [4, 3]},
            "context": quiet | {"strokeWidth": 1, "opacity": 0.35},
            "outline": ink | {"strokeWidth": 1.5, "filled": False},
            "inside": {"color": colours.page, "fontSize": 9.5, "fontWeight": "bold"},
            "value": quiet | {"fontSize": 9},
        },
    }
