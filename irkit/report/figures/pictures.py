"""Charts as specifications and as pictures; nothing here asks for a network."""

import json
import os
import re
from typing import Any, Final
from xml.sax.saxutils import escape

from irkit.errors import MissingDependencyError, UsageError
from irkit.files.textio import write_bytes
from irkit.report.figures.theme import palette, theme

FORMATS: Final = (".svg", ".png", ".pdf", ".json")


def to_spec(chart: Any, *, dark: bool = False) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure as plain Python values, ready for JSON.

    `datasets` holds the data by name, as documented in the function of each figure; `config` is the theme, with a
    transparent background.

    Parameters
    ----------
    chart : altair chart
        Made by a function of `irkit.report.figures`.
    dark : bool
        Use the dark theme.
    """
    # No validation: the parts were checked when they were made, and thousands of rows would take a second.
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["config"] = theme(dark)
    return spec


def picture(chart: Any, form: str, *, dark: bool = False, scale: float = 3.0) -> bytes:
    """Render a figure as the content of a file.

    With the same version of vl-convert, the same chart gives the same bytes; those of SVG and JSON are the same on all
    machines.

    Parameters
    ----------
    chart : altair chart
    form : {'svg', 'png', 'pdf', 'json'}
        json is the specification, as in `to_spec`. The others have a white background, or that of the dark theme.
    dark : bool
        Use the dark theme.
    scale : float
        Dots of a PNG for each pixel of the figure.

    Raises
    ------
    UsageError
        If the format is unknown, or the scale is out of range.
    MissingDependencyError
        If vl-convert is not installed.
    """
    if f".{form}" not in FORMATS:
        raise UsageError(f"a figure is written as {', '.join(format[1:] for format in FORMATS)}, not {form!r}")
    if not 0.1 <= scale <= 20:
        raise UsageError(f"a scale is 0.1 to 20 dots for each pixel, got {scale}")
    spec = to_spec(chart, dark=dark)
    if form == "json":
        return (json.dumps(spec, ensure_ascii=True, indent=1, allow_nan=False) + "\n").encode()
    spec["background"] = palette(dark).page
    version = _grammar(spec)
    converter = _converter()
    svg = _described(converter.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]), spec["description"])
    if form == "svg":
        return svg.encode()
    if form == "pdf":
        # A pixel is 1/96 inch, but the converter writes it as a PDF point, 1/72 inch.
        svg = re.sub(
            r' (width|height)="([\d.]+)"', lambda size: f' {size[1]}="{float(size[2]) * 0.75:g}"', svg, count=2
        )
        pdf: bytes = converter.svg_to_pdf(svg)
        return pdf
    # The file records dots per inch; the converter assumes 72 pixels per inch.
    png: bytes = converter.svg_to_png(svg, scale=0.75, ppi=96 * scale)
    return png


def write(chart: Any, path: str | os.PathLike[str], *, dark: bool = False, scale: float = 3.0) -> None:
    """Write a figure, completely or not at all; the suffix chooses the format: .svg, .png, .pdf or .json.

    Parameters
    ----------
    chart, dark, scale
        As in `picture`.
    path : str or path

    Raises
    ------
    UsageError
        If the suffix is unknown or the file cannot be written; or as in `picture`.
    MissingDependencyError
        If vl-convert is not installed.
    """
    write_bytes(path, picture(chart, form_of(path), dark=dark, scale=scale))


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the format named by the suffix of a file."""
    ending = os.path.splitext(os.fspath(path))[1].lower()  # noqa: PTH122 - works for str and path
    if ending not in FORMATS:
        raise UsageError(f"{os.fspath(path)}: a figure's name ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return ending[1:]


def vega_bundle() -> str:
    """Return the JavaScript for showing specifications: Vega, Vega-Lite and vega-embed, as `window.vegaEmbed`, 0.9 MB.

    It can be put into a `<script>` element of a page and loads nothing else. Call `vegaEmbed` with `ast: true`, so that
    no data are evaluated as code.

    Raises
    ------
    MissingDependencyError
        If vl-convert is not installed.
    """
    bundle: str = _converter().javascript_bundle()
    # Escape what would end the script element or begin a comment; the JavaScript means the same.
    return re.sub(r"<(?=/script|!--)", r"\\x3c", bundle, flags=re.IGNORECASE)


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as problem:
        raise MissingDependencyError("pictures need vl-convert; pip install 'irkit[report]'") from problem
    return vl_convert


def _grammar(spec: dict[str, Any]) -> str:
    """Return the version of Vega-Lite in a specification, such as `6.4`."""
    match = re.search(r"/v(\d+\.\d+)", spec["$schema"])
    return match[1] if match else ""


def _described(svg: str, description: str) -> str:
    """Add the description to an SVG, for screen readers."""
    start = svg.index(">") + 1
    head = svg[: start - 1] + ' role="img" aria-labelledby="description">'
    return f'{head}<desc id="description">{escape(description)}</desc>{svg[start:]}\n'
